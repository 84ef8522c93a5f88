#!/bin/sh
# What compose.yaml relies on in PostgreSQL's image: the first start creates the data directory with the password from
# a file, and runs the SQL files of /docker-entrypoint-initdb.d once.
set -eu
data=/var/lib/postgresql/data
if [ "$(id -u)" = 0 ]; then
  mkdir -p $data /run/postgresql
  chown postgres $data /run/postgresql
  chmod 0700 $data
  exec setpriv --reuid=postgres --regid=postgres --init-groups "$0"
fi
if [ ! -s $data/PG_VERSION ]; then
  # shellcheck disable=SC2086 # several arguments in one variable
  initdb --pgdata=$data --username=postgres --pwfile="$POSTGRES_PASSWORD_FILE" $POSTGRES_INITDB_ARGS
  echo 'host all all all scram-sha-256' >>$data/pg_hba.conf
  pg_ctl --pgdata=$data --options='-c listen_addresses=' --wait start
  for file in /docker-entrypoint-initdb.d/*.sql; do psql --no-psqlrc --set=ON_ERROR_STOP=1 --file="$file"; done
  pg_ctl --pgdata=$data --wait stop
fi
exec postgres -D $data -c listen_addresses='*'
