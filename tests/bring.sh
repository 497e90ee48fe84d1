#!/bin/sh
# Brings what the tests need from the system: tests/bring.sh "make test" chromium 'etcd=etcd-server' …
# Each part is a program, or a library (`lib….so.1`), and the Debian package that has it if that is named otherwise. Of `a|b`
# either will do; what ends in `?` is not in every release. Exit code 2: something is missing that cannot be installed from here.
set -eu
who=$1
shift
LOCK_S=600
PATH="$PATH:/usr/sbin:/sbin:/usr/lib/podman"

is_there() {
    for name in $(echo "$1" | tr '|' ' '); do
        case $name in
        lib*.so.*) ldconfig -p | grep -q "$name" && return ;;
        *) command -v "$name" >/dev/null && return ;;
        esac
    done
    return 1
}

missing_packages() {
    for part; do
        package=${part##*=}
        is_there "${part%%[=?]*}" && continue
        case $package in *\?) package=${package%?}; apt-cache show "$package" >/dev/null 2>&1 || continue ;; esac
        printf ' %s' "$package"
    done
}

# apt waits for the lock of the packages by itself, but not for the one of its lists.
update_lists() {
    waited_s=0
    until said=$(LC_ALL=C apt-get -q update 2>&1); do
        case $said in *lists/lock*) ;; *) break ;; esac
        [ "$waited_s" -lt "$LOCK_S" ] || break
        [ "$waited_s" -gt 0 ] || echo "Waiting for another apt to update the package lists ..."
        sleep 5
        waited_s=$((waited_s + 5))
    done
    echo "$said"
}

packages=$(missing_packages "$@")
[ -n "$packages" ] || exit 0
if [ "$(id -u)" != 0 ] || ! command -v apt-get >/dev/null; then
    echo "$who needs what is not installed. On Debian, as root: apt-get install --no-install-recommends$packages" >&2
    exit 2
fi
echo "$who needs$packages: installing (once) ..."
update_lists
# Again, because by the new lists there may be more.
# shellcheck disable=SC2046 -- several words
DEBIAN_FRONTEND=noninteractive apt-get -q -y --no-install-recommends -o Dpkg::Use-Pty=0 \
    -o DPkg::Lock::Timeout="$LOCK_S" install $(missing_packages "$@")
