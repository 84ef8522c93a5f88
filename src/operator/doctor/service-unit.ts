// Which unit of systemd runs the service on this machine, so that advice names the command that works here.
import { lstatSync, readdirSync } from 'node:fs'

const UNITS = '/etc/systemd/system'
const WANTED = `${UNITS}/multi-user.target.wants`
const BACKUP_TIMER = `${UNITS}/timers.target.wants/upvane-backup.timer`

/** `whole`: upvane.service. `roles`: upvane@….service, one for each role. */
type ServiceUnit = 'whole' | 'roles'

/** The unit that is enabled, or else the one that is installed. Undefined in a container, or where it was started by hand. */
export function findUnit(
  list: (directory: string) => string[] = listNames,
): ServiceUnit | undefined {
  const enabled = unitIn(list(WANTED))
  return enabled ?? unitIn(list(UNITS).filter((name) => name === 'upvane.service'))
}

export const START_ADVICE: Readonly<Record<ServiceUnit | 'none', string>> = {
  whole: 'Start it: systemctl start upvane. If it ends again: journalctl -u upvane.',
  roles:
    "Start its roles: systemctl start 'upvane@*' --all. If they end again: journalctl -u 'upvane@*'.",
  none: 'Start it: upvane start, or its container.',
}

/** For how long the timer of backups has been enabled; undefined if it is not. */
export function readTimerSeconds(link = BACKUP_TIMER): number | undefined {
  try {
    return (Date.now() - lstatSync(link).mtimeMs) / 1000
  } catch {
    return undefined
  }
}

function unitIn(names: readonly string[]): ServiceUnit | undefined {
  if (names.includes('upvane.service')) return 'whole'
  return names.some((name) => /^upvane@[a-z]+\.service$/.test(name)) ? 'roles' : undefined
}

function listNames(directory: string): string[] {
  try {
    return readdirSync(directory)
  } catch {
    return []
  }
}
