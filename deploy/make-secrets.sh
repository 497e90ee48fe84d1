#!/bin/sh
# Makes the secrets of deploy/compose-postgres.yaml, once; those that are there are kept.
set -eu
umask 077
cd "$(dirname "$0")"
mkdir -p secrets
cd secrets
[ -e postgres_password ] && { echo "deploy/secrets is there already; nothing was changed."; exit 0; }
random() { od -An -N24 -tx1 /dev/urandom | tr -d ' \n'; }
random > s3_key
random > s3_secret
random > postgres_password
printf 'postgresql://farthing:%s@postgres:5432/farthing' "$(cat postgres_password)" > database_url
cat > s3_config.json <<JSON
{"identities": [{"name": "farthing", "actions": ["Admin", "Read", "Write", "List", "Tagging"],
  "credentials": [{"accessKey": "$(cat s3_key)", "secretKey": "$(cat s3_secret)"}]}]}
JSON
# Containers read them as other users; the folder is closed to everybody else on this machine.
chmod 644 ./*
echo "Made deploy/secrets."
