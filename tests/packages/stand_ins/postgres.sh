# The first start makes user and database, as the public image documents. Meanwhile the server listens on its socket only.
set -eu
if [ "$(id -u)" = 0 ]; then
    install -d -o postgres -g postgres -m 700 "$PGDATA"
    exec setpriv --reuid=postgres --regid=postgres --init-groups sh "$0" "$@"
fi
if [ ! -s "$PGDATA/PG_VERSION" ]; then
    initdb --encoding=UTF8 --locale=C.UTF-8 --username="$POSTGRES_USER" --pwfile="$POSTGRES_PASSWORD_FILE"
    echo "host all all all scram-sha-256" >> "$PGDATA/pg_hba.conf"
    pg_ctl start --wait --options="-c listen_addresses=''"
    createdb --username="$POSTGRES_USER" "$POSTGRES_DB"
    pg_ctl stop --wait --mode=fast
fi
exec "$@" -c listen_addresses='*'
