# Waits until its standard input closes, which happens however the parent ends, even by SIGKILL.
# Then it ends the server that lives in the directory and removes the directory.
# It runs as the server's user: only that user may read where its processes have their home.
directory=$1
pid_file=$2
trap '' HUP INT TERM

while read -r _; do :; done

# Found by working directory, not by a remembered pid: a restart changes pids, and pids are reused.
inside() {
  if [ ! -d /proc/self ]; then
    # macOS: one line "p<pid>" and one line "n<working directory>" for each process.
    lsof -a -d cwd -u "$(id -u)" -Fpn 2>/dev/null |
      awk -v home="$directory" '/^p/ { pid = substr($0, 2) }
        /^n/ { path = substr($0, 2); if (path == home || index(path, home "/") == 1) print pid }'
    return
  fi
  find /proc/[0-9]*/cwd -maxdepth 0 \( -lname "$directory" -o -lname "$directory/*" \) 2>/dev/null |
    cut -d/ -f3
}

pids=$(inside)
server=$(head -n 1 "$pid_file" 2>/dev/null)
tries=0
if [ -n "$server" ] && echo "$pids" | grep -qx -e "$server"; then
  # shellcheck disable=SC2086
  kill -CONT $pids 2>/dev/null
  kill -INT "$server" 2>/dev/null
  while [ -n "$(inside)" ] && [ "$tries" -lt 200 ]; do
    sleep 0.02
    tries=$((tries + 1))
  done
fi

tries=0
while pids=$(inside) && [ -n "$pids" ] && [ "$tries" -lt 200 ]; do
  # shellcheck disable=SC2086
  kill -KILL $pids 2>/dev/null
  sleep 0.02
  tries=$((tries + 1))
done

# A PostgreSQL that was killed leaves a System V segment behind; line 7 of its lock file names it.
for lock_file in "$directory"/*/postmaster.pid; do
  segment=$(sed -n '7{s/.* //p;}' "$lock_file" 2>/dev/null)
  if [ -n "$segment" ]; then ipcrm -m "$segment" 2>/dev/null; fi
done

rm -rf "$directory"
