#!/bin/sh
# Runs in a fresh container, as root. `install FILE` puts a .deb or .rpm in place with the system's own
# packages and needs a network; `use` lets the program test itself as a person would use it, and needs
# none. `installed.py` calls both.
set -eu
export LC_ALL=C.UTF-8

install_package() {
    case $1 in
    *.deb)
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends xvfb xauth "$1" >/dev/null
        ;;
    *.rpm)
        dnf install -y -q xorg-x11-server-Xvfb util-linux "$1"
        ;;
    *.AppImage) # as it is, with the libraries that every desktop has; a container can not mount
        export DEBIAN_FRONTEND=noninteractive
        apt-get update -qq
        apt-get install -y -qq --no-install-recommends xvfb xauth libegl1 libgl1 libx11-xcb1 \
            libx11-6 libfontconfig1 libfreetype6 libgcc-s1 libstdc++6 libwayland-client0 \
            libwayland-cursor0 libxcb1 zlib1g >/dev/null
        install -m 755 "$1" /opt/Snug.AppImage
        printf '#!/bin/sh\nexec /opt/Snug.AppImage --appimage-extract-and-run "$@"\n' >/usr/bin/snug
        chmod 755 /usr/bin/snug
        ;;
    *)
        echo "installed.sh: what is $1?" >&2
        exit 2
        ;;
    esac
    useradd --create-home --home-dir /srv/person person
}

use_it() {
    for screen in offscreen xcb; do
        start=
        if [ "$screen" = xcb ]; then
            Xvfb :7 -screen 0 1280x800x24 -nolisten tcp >/dev/null 2>&1 &
            trap 'kill $!' EXIT
            sleep 2
            start="DISPLAY=:7"
        fi
        runuser -u person -- env -i HOME=/srv/person PATH=/usr/bin:/bin LANG=C.UTF-8 $start \
            snug doctor --json >/srv/person/said.json
        grep -q "painted on $screen" /srv/person/said.json
        echo "well ($screen)"
    done
}

case ${1:-} in
install) install_package "$2" ;;
use) use_it ;;
*)
    echo "installed.sh: install FILE, or use" >&2
    exit 2
    ;;
esac
