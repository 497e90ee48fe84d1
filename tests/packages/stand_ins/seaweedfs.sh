# As in the public image: not as root, and `server` with its own volumes of a gigabyte.
set -eu
if [ "$(id -u)" = 0 ]; then
    chown -R seaweed:seaweed /data
    exec setpriv --reuid=seaweed --regid=seaweed --init-groups sh "$0" "$@"
fi
[ "$1" != server ] || { shift; set -- server -dir=/data -volume.max=0 -master.volumeSizeLimitMB=1024 "$@"; }
exec weed -logtostderr=true "$@"
