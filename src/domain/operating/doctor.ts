// How `upvane doctor` judges what it finds. Pure: each function turns input into lines, and every line that is not ok
// says what to do.

import { listNames } from './condition.ts'
import { countExpected } from './probe-names.ts'

/** `skip`: does not apply to this machine. */
export type DoctorLevel = 'ok' | 'warn' | 'fail' | 'skip'
export type DoctorFinding = { level: DoctorLevel; message: string }
export type DoctorLine = DoctorFinding & { check: string }

export const ok = (message: string): DoctorFinding => ({ level: 'ok', message })
export const warn = (message: string): DoctorFinding => ({ level: 'warn', message })
export const skip = (message: string): DoctorFinding => ({ level: 'skip', message })
export const fail = (message: string): DoctorFinding => ({ level: 'fail', message })

export type SecretFile = {
  /** The environment variable that names the file. */
  name: string
  path: string
  isReadable: boolean
  /** Permission bits; undefined if they cannot be read. */
  mode: number | undefined
  /** `perhaps`: a settings file, which may or may not contain a secret. */
  isSecret: boolean | 'perhaps'
}
const OTHERS_MAY_READ = 0o004

export function judgeFiles(files: readonly SecretFile[], user: string): DoctorFinding[] {
  const found = files.flatMap(({ name, path, isReadable, mode = 0, isSecret }) => {
    if (!isReadable)
      return [
        fail(
          `${name}: ${user} cannot read ${path}. Create the file, or let this account read it (chown, chmod 640).`,
        ),
      ]
    if (isSecret === false || (mode & OTHERS_MAY_READ) === 0) return []
    const message = `${name}: every account can read ${path}.`
    return isSecret === 'perhaps'
      ? [warn(`${message} If it has a password, run chmod o-rwx ${path}.`)]
      : [fail(`${message} Run chmod o-rwx ${path}.`)]
  })
  return found.length > 0 ? found : [ok(`${files.length} readable by ${user}`)]
}

const LOCAL = /^(?:|localhost|127(?:\.\d{1,3}){3}|\[::1\]|%2F.{0,1000})$/i

/** A socket directory is given as the host, or in a parameter named `host`. */
function isLocalDatabase(url: string): boolean {
  const { hostname, searchParams } = new URL(url)
  const given = searchParams.get('host')
  return given === null ? LOCAL.test(hostname) : given.startsWith('/') || LOCAL.test(given)
}

export function judgeTls(url: string, isEncrypted: boolean): DoctorFinding[] {
  if (isEncrypted) return [ok('the connection to the database is encrypted')]
  if (isLocalDatabase(url)) return [ok('not needed: the database is on this machine')]
  return [
    warn(
      'The connection to the database is not encrypted. Unless the network is private, add ?sslmode=verify-full&sslrootcert=/path/to/ca.pem to DATABASE_URL.',
    ),
  ]
}

type RoleStatus = { name: string; exists: boolean; isMember: boolean; bypasses: boolean }

export function judgeRoles(login: string, roles: readonly RoleStatus[]): DoctorFinding[] {
  const found = roles.flatMap(({ name, exists, isMember, bypasses }) => {
    if (!exists)
      return [
        fail(
          `The role ${name} is missing. Run roles.sql, which deploy/make-secrets.sh writes, as the server's administrator.`,
        ),
      ]
    if (!isMember)
      return [
        fail(
          `The login ${login} is not a member of ${name}. Run upvane migrate with MIGRATE_DATABASE_URL, or: grant ${name} to ${login}.`,
        ),
      ]
    return bypasses
      ? [
          fail(
            `The role ${name} bypasses row-level security. Run: alter role ${name} nosuperuser nobypassrls.`,
          ),
        ]
      : []
  })
  return found.length > 0 ? found : [ok(`${login} is a member of ${namesOf(roles)}`)]
}

const namesOf = (items: readonly { name: string }[]) => items.map(({ name }) => name).join(', ')

export function judgeMigrations(pending: readonly string[]): DoctorFinding[] {
  if (pending.length === 0) return [ok('the database is at this version')]
  return [
    fail(
      `The database is behind this version by ${pending.length}, from ${pending[0]} on. Run upvane migrate.`,
    ),
  ]
}

const MIN_DAYS = 2

export function judgePartitions(daysAhead: number): DoctorFinding[] {
  if (daysAhead >= MIN_DAYS) return [ok(`for ${daysAhead} more days`)]
  const until = daysAhead < 0 ? 'today has none' : `there are some for ${daysAhead} more days`
  return [
    fail(
      `Tables lack partitions: ${until}. The role janitor creates them: start it, and look in its log for "upkeep failed".`,
    ),
  ]
}

const OFF_SECONDS = 5
const DRIFTING_SECONDS = 1

export function judgeClock(offsetSeconds: number): DoctorFinding[] {
  const off = Math.abs(offsetSeconds)
  const text = `${off.toFixed(1)} s ${offsetSeconds < 0 ? 'behind' : 'ahead of'} the database's clock`
  if (off <= DRIFTING_SECONDS) return [ok(text)]
  const message = `The clock of this machine is ${text}. Turn on time synchronization (chrony or systemd-timesyncd) on both.`
  return [off > OFF_SECONDS ? fail(message) : warn(message)]
}

type ProbeStatus = {
  region: string
  name: string
  isLive: boolean
  isRevoked: boolean
  /** False if it runs a version before 0.2; null if that is not known. */
  provesName: boolean | null
}

/** `needed`: regions that monitors are checked from. Null stands for monitors that any region may check. */
export function judgeProbes(
  probes: readonly ProbeStatus[],
  needed: readonly (string | null)[],
): DoctorFinding[] {
  const used = probes.filter(({ isRevoked }) => !isRevoked)
  const regions = Map.groupBy(used, ({ region }) => region)
  const live = (region: string) => (regions.get(region) ?? []).filter(({ isLive }) => isLive).length
  const names = new Set([...regions.keys(), ...needed.filter((region) => region !== null)])
  const anyLive = used.some(({ isLive }) => isLive)
  const missing = [...names].toSorted().filter((region) => live(region) === 0)
  const found = missing.map((region) => {
    const isNeeded = needed.includes(region) || (needed.includes(null) && !anyLive)
    const message = `Region ${region} has no live probe. Start a probe there with REGION=${region} and check its log, let it join again (upvane region add ${region}), or close the region (upvane region remove ${region}).`
    return isNeeded ? fail(message) : warn(message)
  })
  if (names.size === 0) {
    const message = 'There is no probe. Start upvane start, or upvane probe on another machine.'
    found.push(needed.length > 0 ? fail(message) : warn(message))
  }
  const older = used.filter(({ isLive, provesName }) => isLive && provesName === false)
  if (older.length > 0) {
    const list = listNames(older.map(({ name }) => name))
    found.push(
      warn(
        `Identity not verified: ${list}. Upgrade these probes; the next version refuses what they report.`,
      ),
    )
  }
  if (found.length > 0) return found
  const counts = [...regions].map(
    ([region, all]) => `${region} ${live(region)} of ${countExpected(all)}`,
  )
  return [ok(`live: ${counts.join(', ')}`)]
}

/** 2 for a broken configuration, as with every command; 1 if anything fails. */
export function exitCodeOf(lines: readonly DoctorLine[]): number {
  const failed = lines.filter(({ level }) => level === 'fail')
  if (failed.some(({ check }) => check === 'configuration')) return 2
  return failed.length > 0 ? 1 : 0
}

export type PublicResponse = { problem: string } | { status: number; isOwn: boolean }

const REACHED = [301, 302, 303, 307, 308, 401, 403, 407, 429]
const OF_PROXIES = [502, 503, 504]

/** `isOwn`: the response proves that it comes from this installation. */
export function judgeBaseUrl(response: PublicResponse): DoctorFinding {
  if ('problem' in response)
    return warn(
      `BASE_URL cannot be reached from this machine (${response.problem}). If browsers reach it, nothing is wrong; otherwise check DNS, the firewall, the proxy and its certificate.`,
    )
  const { status, isOwn } = response
  if (isOwn) return ok('leads to this installation')
  if (REACHED.includes(status))
    return warn(
      `BASE_URL could not be compared with this installation, since it responds with ${status}. If it redirects, set BASE_URL to the address that it leads to.`,
    )
  if (OF_PROXIES.includes(status))
    return fail(
      `BASE_URL responds with ${status}, so its proxy does not reach this service. Is it running, and does the proxy have the address in HOST and PORT?`,
    )
  return fail(
    `BASE_URL does not lead to this installation (it responds with ${status}). Check BASE_URL, DNS, and which host names the proxy passes on.`,
  )
}

const HIDDEN = '***'
const LEAST_SECRET = 8
const WORD = /^(?:[a-z]{1,16}|[A-Z]{1,16}|[A-Z][a-z]{1,15})$/

/**
 * Whether a secret can be hidden in messages. A word such as "password" stands in the messages of every server: stars in
 * its place would say which word the secret is. Nor is such a message a copy of the secret.
 */
export function isHideable(secret: string): boolean {
  return secret.length >= LEAST_SECRET && !WORD.test(secret)
}

/** No line may contain a secret, whatever a server responds. */
export function hideSecrets(text: string, secrets: readonly string[]): string {
  return secrets.reduce((shown, secret) => shown.replaceAll(secret, HIDDEN), text)
}

export function formatLines(lines: readonly DoctorLine[]): string {
  const width = Math.max(...lines.map(({ check }) => check.length))
  return lines
    .map(({ level, check, message }) => `${level.padEnd(4)}  ${check.padEnd(width)}  ${message}`)
    .join('\n')
}
