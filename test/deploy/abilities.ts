// What this machine permits. A test that needs more is skipped with a printed and counted reason. If the machine
// permits it, a missing program is a failure, not a reason to skip.
import { spawnSync } from 'node:child_process'

export type Need = 'containers' | 'systemd' | 'mounts'

// Each tries what the tests do with it, and nothing else.
const TRIALS: Record<Need, { what: string; script: string }[]> = {
  containers: [
    { what: 'root', script: 'test "$(id -u)" = 0' },
    { what: 'a mount namespace with a cgroup2 mount', script: cgroup2('true') },
  ],
  mounts: [
    { what: 'root', script: 'test "$(id -u)" = 0' },
    { what: 'a mount', script: 'unshare --mount mount -t tmpfs none /mnt' },
  ],
  systemd: [
    { what: 'root', script: 'test "$(id -u)" = 0' },
    { what: 'namespaces', script: 'unshare --mount --pid --net --ipc --uts --fork true' },
    { what: 'an overlay mount', script: overlayTrial() },
  ],
}

/** Undefined if the machine can do it; otherwise what it does not permit. */
export function findObstacle(need: Need): string | undefined {
  for (const { what, script } of TRIALS[need]) {
    const { status, stderr } = spawnSync('bash', ['-c', script], { encoding: 'utf8' })
    if (status === 0) continue
    const reason = `NOT RUN: this machine does not permit ${what}: ${stderr.trim().split('\n').at(-1)}`
    console.error(`\n*** ${reason}\n`)
    return reason
  }
  return undefined
}

/** crun refuses mixed cgroup hierarchies, so the command gets a pure one. */
export function cgroup2(command: string): string {
  return `unshare --mount bash -c 'umount -R /sys/fs/cgroup && mount -t cgroup2 none /sys/fs/cgroup && exec "$@"' _ ${command}`
}

function overlayTrial(): string {
  return `unshare --mount bash -ec 'd=$(mktemp -d); mount -t tmpfs none $d; mkdir $d/l $d/u $d/w $d/m
mount -t overlay overlay -o lowerdir=$d/l,upperdir=$d/u,workdir=$d/w $d/m'`
}
