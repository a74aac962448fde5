#!/bin/bash
# Runs inside a fresh Debian, as root and without a network: installs Snug as a person would, lets it
# show what it can, upgrades it, and takes it away. `trial.py` prepares all this.
# Arguments: the .deb, a newer .deb, a model file.
set -eu
export LC_ALL=C.UTF-8 DEBIAN_FRONTEND=noninteractive
first=$1 newer=$2 model=$3
scratch=$(mktemp -d); chmod 755 "$scratch"
step() { printf '%5s s  %s\n' "$SECONDS" "$1"; }
person() { runuser -u "$name" -- env -i HOME="$home" USER="$name" PATH=/usr/bin:/bin LANG=C.UTF-8 \
    XDG_RUNTIME_DIR="$home/run" "$@"; }

name=mei home='/srv/Mei Ω 雪'
useradd --create-home --home-dir "$home" "$name"
install -d -o "$name" -m 700 "$home/run"
if ip link show up 2>/dev/null | grep -v lo: | grep -q mtu; then echo "there is a network"; exit 1; fi

dpkg -i "$first" >/dev/null
step "dpkg -i, with nothing but what the system has"
desktop-file-validate /usr/share/applications/snug.desktop
man -w snug >/dev/null 2>&1 || test -e /usr/share/man/man1/snug.1.gz
step "the menu's entry is right"

person snug doctor --json >"$scratch/doctor.json"
step "its self-test passes: $(grep -o '"name": "answer"[^}]*' "$scratch/doctor.json")"
person xvfb-run -a snug doctor --json | grep -q 'was painted on xcb'
step "its window is painted under X11"

person snug ask 'What is the capital of France?' </dev/null 2>/dev/null | grep Paris >/dev/null
step "it answers without a network"
printf 'What is the capital of France?\n' | person snug chat 2>/dev/null | grep Paris >/dev/null
cp "$model" "$home/my model.gguf"; chown "$name" "$home/my model.gguf"
test "$(person xdg-mime query filetype "$home/my model.gguf")" = application/x-gguf
person gio mime application/x-gguf | grep snug.desktop >/dev/null
cp "$model" "$home/nameless"; chown "$name" "$home/nameless"
person gio info -a standard::content-type "$home/nameless" | grep -q application/x-gguf
step "the system knows a .gguf, without its ending too, and that Snug opens it"

cat >"$scratch/launch.sh" <<'EOF'
gio launch /usr/share/applications/snug.desktop "$HOME/my model.gguf" &
for _ in $(seq 150); do
    xwininfo -root -tree | grep -q 'Add ' && { pgrep -u "$USER" -x snug >/dev/null; echo shown; break; }
    sleep 0.2
done
xwininfo -root -tree | grep -i snug
pkill -TERM -u "$USER" -x snug; sleep 3
if pgrep -u "$USER" -x snug; then echo "it does not end"; exit 1; fi
EOF
person xvfb-run -a sh "$scratch/launch.sh" >"$scratch/launch.log" 2>&1 || { cat "$scratch/launch.log"; exit 1; }
grep -q shown "$scratch/launch.log" || { cat "$scratch/launch.log"; exit 1; }
step "from its menu entry, with a file, the window opens and offers to add the model"

person install -D "$home/my model.gguf" "$home/.local/share/Snug/models/mine.gguf"
kept() { (cd "$home/.local/share/Snug" && sha256sum models/mine.gguf snug.sqlite3); }
before=$(kept)
dpkg -i "$newer" >/dev/null
test "$(dpkg-query -W -f '${Version}' snug)" = "$(dpkg-deb -f "$newer" Version)"
test "$before" = "$(kept)"
person snug doctor --json | grep -q '"chats are sound\|chats are sound'
step "the upgrade keeps chats and models"

dpkg -r snug >/dev/null
dpkg -P snug >/dev/null 2>&1 || true
test ! -e /opt/snug -a ! -e /usr/bin/snug -a ! -e /usr/share/applications/snug.desktop
find / -xdev -newer "$scratch/doctor.json" \( -name '*snug*' -o -name '*Snug*' \) \
    -not -path '/tmp/*' -not -path '/proc/*' -not -path "$home/*" -not -path '/var/log/*' >"$scratch/left"
if [ -s "$scratch/left" ]; then echo "left behind:"; cat "$scratch/left"; exit 1; fi
test "$before" = "$(kept)"
step "removed without a trace; the person's data is still there"
