#!/bin/sh
# Installs or upgrades Upvane on Debian 12 or newer, from an unpacked release archive, as root:
#
#   tar -xzf upvane-0.2.0-linux-x64.tar.gz -C /opt
#   /opt/upvane-0.2.0/deploy/install.sh --base-url https://upvane.example.com
#
# Options:
#   --base-url URL        the address people use; only used when there is no /etc/upvane/upvane.env yet. With https:// the
#                         service listens on 127.0.0.1 alone, for a proxy on this machine
#   --database HOST:PORT  a PostgreSQL on another machine. Without it: the one on this machine, port 5432
#   --probe               only a probe: no database, no secrets. It prints how to join and start it
#   --no-start            install and migrate, but do not start or restart the service
#   --switch-to DIR       only make DIR the running version, with its own units: how to go back
#
# It can be run again at any time: it keeps the configuration, the secrets and the data. It stops at the first problem,
# and it changes the running version (the link /opt/upvane) only after the database was migrated.
set -eu

program=$(cd "$(dirname "$0")/.." && pwd -P)
script=$program/deploy/install.sh
# Accounts that commands run as may not enter root's directory.
cd /
etc=/etc/upvane
base_url=
database=local
kind=service
start=yes
other=

say() { echo "install: $*"; }
fail() {
  echo "install: $*" >&2
  exit 1
}

while [ $# -gt 0 ]; do
  case $1 in
    --base-url) base_url=${2:?--base-url needs a URL}; shift 2 ;;
    --database) database=${2:?--database needs HOST:PORT}; shift 2 ;;
    --probe) kind=probe; shift ;;
    --no-start) start=no; shift ;;
    --switch-to) other=${2:?--switch-to needs DIR}; shift 2 ;;
    *) fail "unknown option $1; the first lines of $script explain the options" ;;
  esac
done

# Runs a command of the version that is being installed, which is not yet /opt/upvane.
upvane() { UPVANE_ENV_FILE=$etc/upvane.env "$program/node_modules/.bin/node" "$program/src/main.ts" "$@"; }

check_machine() {
  [ "$(id -u)" = 0 ] || fail 'run it as root'
  [ -f "$program/RELEASE" ] || fail "$program is not an unpacked release archive"
  case "$program" in
    /opt/upvane-*) ;;
    *) fail "unpack the archive into /opt, not $(dirname "$program")" ;;
  esac
  [ ! -e /opt/upvane ] || [ -L /opt/upvane ] || [ ! -e /opt/upvane-old ] ||
    fail '/opt/upvane is a directory of an older installation, which becomes /opt/upvane-old, and that exists already: move it away'
  "$program/node_modules/.bin/node" --version >/dev/null 2>&1 ||
    fail "the Node runtime does not run here ($(cat "$program/RELEASE"); this is $(uname -m)). Missing libatomic1? apt-get install libatomic1"
  command -v openssl >/dev/null || fail 'openssl is missing: apt-get install openssl'
}

add_user() {
  id upvane >/dev/null 2>&1 || useradd --system --no-create-home --shell /usr/sbin/nologin upvane
}

# The service may read three of the secrets. The owner's password, for migrations and backups, is root's alone. Modes are
# set once: later the directory also has files of yours.
add_secrets() {
  mkdir -p $etc
  [ ! -e $etc/secrets/master_keys ] || return 0
  address=$database
  [ "$database" != local ] || address=127.0.0.1:5432
  "$program/deploy/make-secrets.sh" $etc/secrets "$address" >/dev/null
  chown -R root:upvane $etc/secrets
  chmod 0750 $etc/secrets
  chmod 0400 $etc/secrets/*
  (cd $etc/secrets && chmod 0440 database_url master_keys nats_url)
  say "created the secrets in $etc/secrets. Keep a copy of master_keys apart from the database's backups"
}

upvane_as_owner() { MIGRATE_DATABASE_URL_FILE=$etc/secrets/migrate_database_url upvane "$@"; }

# roles.sql creates the two accounts and the database. It is deleted once it has run. An older installation may have left
# it behind: then the accounts exist.
add_database() {
  [ -e $etc/secrets/roles.sql ] || return 0
  if upvane_as_owner migrate --plan >/dev/null 2>&1; then
    say 'the accounts of the database exist already'
  elif [ "$database" != local ]; then
    upvane migrate --plan >/dev/null 2>&1 ||
      fail "run $etc/secrets/roles.sql on $database as its administrator (psql … -f roles.sql), then run this again"
  else
    command -v psql >/dev/null || fail 'PostgreSQL is missing: apt-get install postgresql'
    su postgres -c 'psql --quiet --no-psqlrc' <$etc/secrets/roles.sql ||
      fail 'PostgreSQL did not accept roles.sql: is it running on port 5432, and is there an older database "upvane"?'
    say 'created the database "upvane" and its two accounts'
  fi
  rm -f $etc/secrets/roles.sql $etc/secrets/postgres_password
}

add_configuration() {
  if [ ! -e $etc/upvane.env ]; then
    [ -n "$base_url" ] || [ $kind = probe ] || fail 'the first installation needs --base-url'
    file=example.env
    [ $kind != probe ] || file=probe.example.env
    sed "s|^BASE_URL=.*|BASE_URL=$base_url|" "$program/deploy/$file" >$etc/upvane.env
    say "created $etc/upvane.env"
    case $base_url in https:*) expect_proxy ;; esac
  fi
  chown root:upvane $etc/upvane.env
  chmod 0640 $etc/upvane.env
}

# From the start, because the link to the first account ends with the next start of the service.
expect_proxy() {
  sed -i -e 's|^HOST=.*|HOST=127.0.0.1|' -e 's|^TRUSTED_PROXIES=.*|TRUSTED_PROXIES=127.0.0.1|' $etc/upvane.env
  say 'it listens on 127.0.0.1 for a proxy with TLS on this machine: for another one, change HOST and TRUSTED_PROXIES there'
}

# Where `upvane probe join` keeps a probe's key, which the service's account alone reads.
add_state() { install -d -o upvane -g upvane -m 0700 /var/lib/upvane; }

# The configuration is checked as the service's user, who must be able to read every file that it names.
migrate_database() {
  setpriv --reuid=upvane --regid=upvane --clear-groups \
    env UPVANE_ENV_FILE=$etc/upvane.env "$program/node_modules/.bin/node" "$program/src/main.ts" config check >/dev/null
  upvane_as_owner migrate >/dev/null
  say 'the database is at this version'
}

# A link to a whole new directory: nothing of an older version stays behind, and the way back is the old link.
switch_version() {
  if [ -d /opt/upvane ] && [ ! -L /opt/upvane ]; then
    mv /opt/upvane /opt/upvane-old
    say "the older version is now /opt/upvane-old. To go back: $script --switch-to /opt/upvane-old"
  fi
  link_version "$program"
  install -m 0644 "$program/deploy/sysctl.d/60-upvane-ping.conf" /etc/sysctl.d/
  /usr/lib/systemd/systemd-sysctl /etc/sysctl.d/60-upvane-ping.conf || true
  case $(cat /proc/sys/net/ipv4/ping_group_range) in
    *2147483647) ;;
    *) say 'WARNING: net.ipv4.ping_group_range could not be set: PING monitors stay undecided' ;;
  esac
  systemctl daemon-reload
  say "/opt/upvane is now $(cat "$program/RELEASE")"
}

# A version runs with its own units and command: others may not know their variables.
link_version() {
  ln -sfn "$1" /opt/upvane.new
  mv -T /opt/upvane.new /opt/upvane
  install -m 0755 "$1/deploy/upvane.sh" /usr/local/bin/upvane
  for unit in upvane.service upvane@.service upvane-backup.service upvane-nats.service; do
    [ ! -e "$1/deploy/$unit" ] || install -m 0644 "$1/deploy/$unit" /etc/systemd/system/
  done
}

go_to_other_version() {
  [ "$(id -u)" = 0 ] || fail 'run it as root'
  [ -f "$other/src/main.ts" ] && [ -f "$other/deploy/upvane.service" ] && [ -f "$other/deploy/upvane.sh" ] ||
    fail "$other is not a version of Upvane"
  [ -L /opt/upvane ] || fail '/opt/upvane is not a link'
  [ "$(readlink -f "$other")" != /opt/upvane ] || fail 'name the directory, not the link /opt/upvane'
  link_version "$(readlink -f "$other")"
  systemctl daemon-reload
  [ -e /opt/upvane/deploy/upvane-backup.sh ] || say 'WARNING: this version has no backups at night'
  [ $start = no ] || restart_service
  say "/opt/upvane is now $other"
}

# Once: who turned the timer off keeps it off.
add_backups() {
  [ ! -e /etc/systemd/system/upvane-backup.timer ] || return 0
  install -m 0644 "$program/deploy/upvane-backup.timer" /etc/systemd/system/
  systemctl daemon-reload
  systemctl --quiet enable --now upvane-backup.timer
  command -v pg_dump >/dev/null || say 'WARNING: backups need pg_dump: apt-get install postgresql-client'
  say 'every night a backup is written to /var/backups/upvane, and the newest 7 are kept: upvane-backup.timer'
}

restart_service() {
  systemctl restart upvane || fail 'the service does not start: journalctl -u upvane'
}

start_service() {
  systemctl --quiet enable upvane
  restart_service
  upvane ready --wait 60 >/dev/null || fail 'the service did not become ready in 60 s: journalctl -u upvane'
  say 'the service is ready'
  # The log is written within a second.
  tries=10
  while [ "$(upvane person list --json)" = '[]' ] && [ $tries -gt 0 ]; do
    link=$(find_link)
    [ -z "$link" ] || break
    tries=$((tries - 1))
    sleep 0.5
  done
  [ -z "${link:-}" ] || announce "$link"
}

# Of this start only: the link of an older one no longer works.
find_link() {
  journalctl --output cat _SYSTEMD_INVOCATION_ID="$(systemctl show --property InvocationID --value upvane)" |
    sed -n 's/.*"link":"\([^"]*\)".*/\1/p' | tail -n 1
}

# It opens at this address only: browsers send the cookie of a sign-in nowhere else.
announce() {
  answers='fetch(process.argv[1], { signal: AbortSignal.timeout(5000) }).then(() => process.exit(0), () => process.exit(1))'
  "$program/node_modules/.bin/node" -e "$answers" "$1" 2>/dev/null ||
    say "${1%%/setup*} does not answer yet. Set up TLS and the name before you open the link: Add TLS in install.md"
  say "create the first account: $1"
}

if [ -n "$other" ]; then
  go_to_other_version
  exit 0
fi
check_machine
add_user
if [ $kind = probe ]; then
  mkdir -p $etc
  add_configuration
  add_state
  switch_version
  say "join with a token: runuser -u upvane -- upvane probe join --no-start --token-file FILE (or set NATS_URL and REGION in $etc/upvane.env)"
  say 'then start it: systemctl enable --now upvane@probe, and look at it: runuser -u upvane -- upvane doctor'
  exit 0
fi
add_secrets
add_configuration
add_database
migrate_database
add_state
switch_version
add_backups
[ $start = no ] || start_service
