#!/bin/sh
# Makes the secrets of deploy/compose-postgres.yaml. Those that are there are kept, so that it can be run again after it was
# interrupted.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
made=

# A file is there as a whole or not at all. Containers read it as other users; the folder is closed to everybody else on
# this machine.
keep() {
    [ ! -s "$1" ] || return 0
    printf '%s' "$2" > "$1.new"
    chmod 644 "$1.new"
    mv "$1.new" "$1"
    made="$made $1"
}
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }

keep s3_key "$(random)"
keep s3_secret "$(random)"
keep postgres_password "$(random)"
keep database_url "postgresql://farthing:$(cat postgres_password)@postgres:5432/farthing"
keep s3_config.json '{"identities": [{"name": "farthing", "actions": ["Admin", "Read", "Write", "List", "Tagging"],
  "credentials": [{"accessKey": "'"$(cat s3_key)"'", "secretKey": "'"$(cat s3_secret)"'"}]}]}
'
[ -n "$made" ] && echo "Made in deploy/secrets:$made" || echo "deploy/secrets is there already; nothing was changed."
