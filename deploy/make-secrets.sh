#!/bin/sh
# Makes every secret an installation needs, once: passwords of the database's accounts, the addresses that
# hold them, and the first master key.
#
#   deploy/make-secrets.sh <directory> [database host:port]
set -eu

directory=${1:?usage: make-secrets.sh <directory> [host:port]}
database=${2:-127.0.0.1:5432}

if [ -e "$directory/master_keys" ]; then
  echo "$directory has secrets already. A new master key would make stored secrets unreadable." >&2
  exit 1
fi

# The directory is closed; what is in it can be lent to a container file by file.
mkdir -p "$directory"
chmod 0750 "$directory"
umask 0222

owner_password=$(openssl rand -hex 24)
service_password=$(openssl rand -hex 24)
openssl rand -hex 24 >"$directory/postgres_password"
echo "postgres://upvane:$service_password@$database/upvane" >"$directory/database_url"
echo "postgres://upvane_owner:$owner_password@$database/upvane" >"$directory/migrate_database_url"
echo "$(date -u +%Y%m%d):$(openssl rand -base64 32)" >"$directory/master_keys"
cat >"$directory/roles.sql" <<SQL
\set ON_ERROR_STOP on
create role upvane_owner login createrole password '$owner_password';
create role upvane login noinherit password '$service_password';
create database upvane owner upvane_owner template template0 encoding 'UTF8' locale 'C.UTF-8';
revoke all on database upvane from public;
grant connect on database upvane to upvane;
SQL

echo "Written to $directory. Keep a copy of master_keys apart from the database's backups."
