// What the operator does about each condition, in a sentence. docs/operating/troubleshooting.md has the details.
import type { ConditionCode } from './condition.ts'

export const REMEDIES: Readonly<Record<ConditionCode, string>> = {
  DATABASE_UNREACHABLE:
    'Check that PostgreSQL runs, has connections left, and can be reached from this machine.',
  WRITES_FAIL: 'Free space on the disk of PostgreSQL, or make the server writable again.',
  NO_BUS: 'Check that NATS runs, and can be reached from the processes that are named.',
  NO_API: 'Start the role api, and check its log for why it ended.',
  NO_SCHEDULER: 'Start the role scheduler, and check its log for why it ended.',
  NO_DISPATCHER: 'Start the role dispatcher, and check its log for why it ended.',
  NO_JANITOR: 'Start the role janitor, and check its log for why it ended.',
  PROCESS_DIED:
    'Check the log of the process that is named for why it ended, and the machine for a kill for lack of memory.',
  NO_PROBE:
    'Start a probe in this region, or close the region with upvane region remove if it is not used anymore.',
  PROBE_FAULT: 'Revoke the probe that is named, and join it again with a new token.',
  REGION_MOVED:
    'Check that the probes of this region run where you expect them. Use another name for another place.',
  CHECKS_LATE: 'Give the schedulers, the probes or PostgreSQL more CPU, or start more of them.',
  CHECKS_INCONCLUSIVE:
    'Check the network and the resolver of the probes: they cannot tell whether their targets are up.',
  MONITORS_UNCHECKED: 'Start a probe in the regions that are named.',
  ALERTS_LATE: 'Check the log of the janitor and the dispatcher, and the load of PostgreSQL.',
  DELIVERIES_LATE: 'Check the log of the dispatcher, or start another one.',
  PARTITIONS_MISSING: 'Check the log of the janitor for "upkeep failed" within the next days.',
  CLOCK_OFF: 'Turn on time synchronization (chrony or systemd-timesyncd) on the machines named.',
  RELAY_REFUSES: 'Check the host, user and password in SMTP_URL. Until then no email is sent.',
  CONFIGURATION_DIFFERS: 'Give the processes that are named the same value, and restart them.',
  DISK_FILLING: 'Free space on this disk, or enlarge it.',
  DATABASE_FILLING: 'Enlarge the disk of PostgreSQL, or lower RESULT_RETENTION_DAYS.',
  BACKUP_OLD: 'Check the log of upvane-backup, or of the container backup, and back up now.',
}

/** Where a condition is explained. The section has the condition's code as its title. */
export const helpOf = (code: ConditionCode): string =>
  `docs/operating/troubleshooting.md#${code.toLowerCase()}`

/** Where the api serves docs/operating of its own version. */
const GUIDE_PATH = '/docs/operating'

export const helpPath = (code: ConditionCode): string =>
  `${GUIDE_PATH}/troubleshooting#${code.toLowerCase()}`

export const helpUrl = (baseUrl: string, code: ConditionCode): string =>
  `${baseUrl}${helpPath(code)}`
