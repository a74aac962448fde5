#!/bin/bash
# Runs inside a fresh system, as root and without a network: installs Snug as a person would, lets it
# show what it can, upgrades it, and takes it away. `trial.py` prepares all this.
# Arguments: the .deb, a newer .deb, a model file, a pack that nobody signed.
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
first=$1 newer=$2 model=$3 pack=$4
scratch=$(mktemp -d); chmod 755 "$scratch"
# shellcheck source=/dev/null
. /etc/os-release
step() { printf '%5s s  %s\n' "$SECONDS" "$1"; }
person() { runuser -u "$name" -- env -i HOME="$home" USER="$name" PATH=/usr/bin:/bin LANG=C.UTF-8 \
    XDG_RUNTIME_DIR="$home/run" "$@"; }
# Everything in the window: a screen of its own each time. What it printed is shown when it fails.
window() {
    person xvfb-run -a -s "-screen 0 1400x900x24" bash /trial_window.sh "$@" >"$scratch/log" 2>&1 ||
        { echo "$1:"; cat "$scratch/log"; exit 1; }
}
installed() { dpkg-query -W -f '${db:Status-Status} ${Version}' snug; }
version_of() { dpkg-deb -f "$1" Version; }

# The file, not useradd: some systems' refuse such a name, and directories of companies give them.
name=美玲 home='/srv/美玲 Ω home'
echo "$name:x:1500:1500:美玲 Ω:$home:/bin/bash" >>/etc/passwd
echo "$name:x:1500:" >>/etc/group
install -d -o 1500 -g 1500 "$home"
install -d -o 1500 -g 1500 -m 700 "$home/run"
if ip link show up 2>/dev/null | grep -v lo: | grep -q mtu; then echo "there is a network"; exit 1; fi

dpkg -i "$first" >/dev/null
test "$(installed)" = "installed $(version_of "$first")"
step "$PRETTY_NAME: dpkg -i, with nothing but what the system has"
desktop-file-validate /usr/share/applications/snug.desktop
test "$(readlink -f /usr/bin/snug)" = /opt/snug/snug
# What root does not own, somebody else could change.
test -z "$(find /opt/snug ! -user root -o ! -group root -o -perm /7022 ! -type l)"
step "the menu's entry is right, and all files are root's"

person snug doctor --json >"$scratch/doctor.json"
grep -q '"name": "keyring", "health": "missing"' "$scratch/doctor.json"
step "its self-test passes without D-Bus and keyring: $(grep -o '"name": "answer"[^}]*' "$scratch/doctor.json")"
person xvfb-run -a snug doctor --json | grep -q 'was painted on xcb'
step "its window is painted under X11"
person weston --backend=headless-backend.so --socket=wayland-7 --idle-time=0 >"$scratch/weston.log" 2>&1 &
weston=$!
for _ in $(seq 300); do test -S "$home/run/wayland-7" && break; sleep 0.1; done
person env WAYLAND_DISPLAY=wayland-7 snug doctor --json | grep -q 'was painted on wayland' ||
    { cat "$scratch/weston.log"; exit 1; }
pkill -P "$weston" || kill "$weston"
step "and under Wayland"

person snug ask 'What is the capital of France?' </dev/null 2>/dev/null | grep Paris >/dev/null
step "it answers without a network"
printf 'What is the capital of France?\n' | person snug chat 2>/dev/null | grep Paris >/dev/null
step "and talks in a terminal"

install -o 1500 -g 1500 -m 644 "$model" "$home/my model.gguf"
install -o 1500 -g 1500 -m 644 "$model" "$home/nameless"
test "$(person xdg-mime query filetype "$home/my model.gguf")" = application/x-gguf
for kind in application/x-gguf application/x-snug-pack; do
    person gio mime "$kind" | grep snug.desktop >/dev/null
    test "$(person xdg-mime query default "$kind")" = snug.desktop
done
person gio info -a standard::content-type "$home/nameless" | grep -q application/x-gguf
step "the system knows a .gguf, without its ending too, and that Snug opens it"

window talks
step "from its menu entry the window opens, and answers what is typed into it"
window opens '^Add ' gio open "$home/my model.gguf"
window opens '^Add ' xdg-open "$home/my model.gguf"
step "a model that is double-clicked opens it with the offer to add that model"
window opens "^Snug cannot add ${pack##*/}" gio open "$pack"
step "and a pack that nobody signed with the news that it is refused"

person install -D "$home/my model.gguf" "$home/.local/share/Snug/models/mine.gguf"
chats() { person sqlite3 "$home/.local/share/Snug/snug.sqlite3" \
    "select c.title, t.role, t.state, t.text from conversations c join turns t
     on t.conversation_id = c.id order by c.created_at, t.position"; }
model_stays() { person snug models list --json | grep -q mine.gguf; }
before=$(chats)
test "$(grep -c '|assistant|complete|.*Paris' <<<"$before")" -ge 2
model_stays
for package in "$newer" "$first" "$newer"; do
    dpkg -i "$package" >/dev/null 2>&1
    test "$(installed)" = "installed $(version_of "$package")"
    person snug doctor --json >"$scratch/doctor.json"
    test "$before" = "$(chats)"
    model_stays
done
window finds "$(grep -m1 -o '^[^|]*' <<<"$before")"
step "an upgrade, the way back and another upgrade keep $(wc -l <<<"$before") messages and the model"

kept() { (cd "$home/.local/share/Snug" && find . -type f -exec sha256sum {} + | sort); }
before=$(kept)
dpkg -r snug >/dev/null
test "$before" = "$(kept)"
dpkg -i "$newer" >/dev/null
dpkg --purge snug >/dev/null
if dpkg-query -W snug 2>/dev/null; then echo "dpkg still knows it"; exit 1; fi
test ! -e /opt/snug -a ! -e /usr/bin/snug -a ! -e /usr/share/applications/snug.desktop
if person gio mime application/x-gguf | grep snug; then echo "files would still open with it"; exit 1; fi
# By the time of change: dpkg gives files the times that they had in the package.
find / -xdev -cnewer /trial.sh \( -name '*snug*' -o -name '*Snug*' \) \
    -not -path '/tmp/*' -not -path '/proc/*' -not -path "$home/*" -not -path '/var/log/*' >"$scratch/left"
if [ -s "$scratch/left" ]; then echo "left behind:"; cat "$scratch/left"; exit 1; fi
test "$before" = "$(kept)"
step "removed, and purged, without a trace; the person's data is still there"
