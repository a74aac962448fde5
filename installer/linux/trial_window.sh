#!/bin/bash
# What a person does with the window, on a screen of its own: started as the desktop starts it, used
# by keys that the X server sends. Run by `trial.sh`.
#   talks   a question is typed, and its answer lands in the chats
#   opens TITLE COMMAND…   a command opens a file, and then a window of that title
#   finds WORDS   a chat of that name is found in the sidebar, and opens
set -eu
database=$HOME/.local/share/Snug/snug.sqlite3
question='What is the capital of France?'

wait_for() { for _ in $(seq 600); do if "$@"; then return 0; fi; sleep 0.2; done; fail "$*"; }
fail() { echo "in vain: $1"; xwininfo -root -tree; exit 1; }
titled() { xdotool search --onlyvisible --name "$1" >/dev/null 2>&1; }
answers() { sqlite3 "$database" "select count(*) from turns
    where role = 'assistant' and state = 'complete' and text like '%Paris%'"; }
one_more() { test "$(answers)" -gt "$had"; }
ends() {
    pkill -TERM -u "$USER" -x snug
    for _ in $(seq 150); do pgrep -u "$USER" -x snug >/dev/null || return 0; sleep 0.2; done
    fail "it does not end"
}

starts() {
    gio launch /usr/share/applications/snug.desktop &
    wait_for titled '^Snug$'
    xdotool windowfocus "$(xdotool search --onlyvisible --name '^Snug$' | head -1)"
    sleep 2
}
types() {
    xdotool type --window 0 --delay 30 "$1"
    sleep 1
    xdotool key --window 0 Return
}

case $1 in
talks)
    had=$(answers)
    starts
    types "$question"
    wait_for one_more
    ;;
opens)
    title=$2
    shift 2
    "$@" &
    wait_for titled "$title"
    ;;
finds)
    starts
    xdotool key --window 0 ctrl+k
    types "$2"
    wait_for titled "^$2"
    ;;
esac
xwininfo -root -tree | grep -i snug
ends
