// The checks of `upvane doctor` that need no database: files, NATS, the SMTP relay, ping and disks.
import { accessSync, constants, statSync } from 'node:fs'
import { userInfo } from 'node:os'
import { dirname } from 'node:path'
import type { Bus } from '../../bus/bus.ts'
import { isPermissionViolation, openNatsBus } from '../../bus/nats-bus.ts'
import { natsFault, signInOf } from '../../bus/nats-fault.ts'
import { allowsAnonymousAccess, type NatsOptions } from '../../bus/nats-options.ts'
import {
  type DoctorFinding,
  fail,
  judgeFiles,
  ok,
  type SecretFile,
  warn,
} from '../../domain/operating/doctor.ts'
import { diskFindings, readDiskUse } from '../../engine/self-watch/disk-watch.ts'
import { findRelayProblem } from '../../engine/self-watch/relay-check.ts'
import { createPinger } from '../../outbound/ping.ts'
import { openEchoSocket } from '../../outbound/ping-socket.ts'
import { type Config, listSettings } from '../../platform/config/config.ts'

const NETWORK_MS = 4_500
const REQUEST_MS = 1_000
const OTHERS_MAY_ENTER = 0o001
const OWN_FILES = ['UPVANE_ENV_FILE', 'PROBE_FILE', 'NATS_CREDS_FILE', 'NATS_CA_FILE']
const SECRECY: Readonly<Record<string, SecretFile['isSecret']>> = {
  UPVANE_ENV_FILE: 'perhaps',
  NATS_CA_FILE: false,
}
// Container runtimes mount secrets here, readable by every account in the container.
const MOUNTED = '/run/secrets/'

export function checkFiles(environment: NodeJS.ProcessEnv): DoctorFinding[] {
  const byVariable = listSettings(environment).map(({ name }) => `${name}_FILE`)
  const files = [...new Set([...byVariable, ...OWN_FILES])].flatMap((name) => {
    const path = environment[name]
    return path === undefined || path === '' ? [] : [readSecretFile(name, path)]
  })
  return files.length === 0 ? [ok('none in use')] : judgeFiles(files, userName())
}

function readSecretFile(name: string, path: string): SecretFile {
  const isExposed = !path.startsWith(MOUNTED) && isOpen(dirname(path))
  const isSecret = isExposed && (SECRECY[name] ?? true)
  try {
    accessSync(path, constants.R_OK)
    const found = statSync(path)
    return { name, path, isReadable: found.isFile(), mode: found.mode, isSecret }
  } catch {
    return { name, path, isReadable: false, mode: undefined, isSecret }
  }
}

/** Whether other accounts can reach this directory. */
function isOpen(directory: string): boolean {
  const above = dirname(directory)
  try {
    const mayEnter = (statSync(directory).mode & OTHERS_MAY_ENTER) !== 0
    return mayEnter && (above === directory || isOpen(above))
  } catch {
    return true
  }
}

function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `account ${process.getuid?.() ?? ''}`
  }
}

export function natsOptionsOf(config: Config, url: string): NatsOptions {
  const { natsCaFile, natsCredsFile, natsProxy: proxy } = config
  return {
    url,
    proxy,
    name: 'upvane doctor',
    ...(natsCredsFile === undefined ? {} : { credsFile: natsCredsFile }),
    ...(natsCaFile === undefined ? {} : { caFile: natsCaFile }),
  }
}

export async function checkNats(config: Config): Promise<DoctorFinding[]> {
  const { natsUrl } = config
  if (natsUrl === undefined) return [ok('not configured: one process does everything')]
  return tryNats(natsOptionsOf(config, natsUrl), { who: 'the service', run: findMissingPermission })
}

type Trial = { who: string; run(bus: Bus): Promise<string | undefined> }

export async function tryNats(options: NatsOptions, { who, run }: Trial): Promise<DoctorFinding[]> {
  const errors: Error[] = []
  const opened = await openNatsBus({
    ...options,
    onError: (error) => void errors.push(error),
  }).catch(toError)
  if (opened instanceof Error) return [fail(natsFault(opened.message, signInOf(options)))]
  const problem = await run(opened)
    .catch(({ message }: Error) => message)
    .finally(() => opened.close())
  const refused = errors.find(isPermissionViolation)
  if (problem !== undefined || refused !== undefined) {
    const reason = (refused ?? errors[0])?.message ?? problem
    return [
      fail(
        `NATS does not permit what ${who} needs (${reason}). Compare the permissions of this user with deploy/nats-probe-example.conf.`,
      ),
    ]
  }
  return allowsAnonymousAccess(options)
    ? [warn('NATS_URL has no user: anyone who reaches that server can read jobs. Set one.')]
    : [ok(`reachable, and permits what ${who} needs`)]
}

/** Listens for announcements as a scheduler does, and responds to its own request. */
async function findMissingPermission(bus: Bus): Promise<string | undefined> {
  await bus.onAnnouncement(() => {})
  await bus.onHint('doctor', () => {})
  await bus.serveRequests('doctor', (body) => body)
  const { kind } = await bus.request('doctor', 'doctor', REQUEST_MS)
  return kind === 'answer' ? undefined : 'a request was not answered'
}

const toError = (error: unknown): Error => (error instanceof Error ? error : new Error('unknown'))

export async function checkRelay({ smtp }: Config): Promise<DoctorFinding[]> {
  if (smtp === undefined)
    return [ok('not configured: no email is sent. SMTP_URL and SMTP_FROM turn it on')]
  const problem = await findRelayProblem(smtp, NETWORK_MS)
  if (problem === undefined) return [ok('accepts our login')]
  return [
    fail(
      `The mail relay does not accept our connection (${problem}). Look at host, port, user and password in SMTP_URL.`,
    ),
  ]
}

const NO_PING = 'This account cannot ping, so a probe here cannot check PING monitors.'
const PERMIT_PING =
  'Install deploy/sysctl.d/60-upvane-ping.conf in /etc/sysctl.d and run sysctl --system'

/** The units permit no privileges, so that the ping program works for this account but not for the service. */
export async function checkPing(unit: string | undefined): Promise<DoctorFinding[]> {
  if (unit === undefined) return tryPing()
  const socket = await openEchoSocket(4)
  socket?.close()
  if (socket !== undefined) return [ok('this machine can ping')]
  return [warn(`${NO_PING} ${PERMIT_PING}; the package iputils-ping does not work under the unit.`)]
}

async function tryPing(): Promise<DoctorFinding[]> {
  const pinger = createPinger()
  const plan = { count: 1, gapMs: 200, budgetMs: 2_000, signal: AbortSignal.timeout(NETWORK_MS) }
  const times = await pinger
    .ping('127.0.0.1', plan)
    .catch(() => [])
    .finally(() => pinger.close())
  if (times.length > 0) return [ok('this machine can ping')]
  return [warn(`${NO_PING} ${PERMIT_PING}, or install the package iputils-ping.`)]
}

export async function checkDisks(
  paths: readonly string[],
  watermarkPercent: number,
): Promise<DoctorFinding[]> {
  const read = await Promise.all(paths.map(readDiskUse))
  const disks = read.filter((disk) => disk !== undefined)
  const unknown = paths.filter((path) => !disks.some((disk) => disk.path === path))
  const lines = [
    ...diskFindings(disks, watermarkPercent).map(({ message }) =>
      fail(`${message}, more than DISK_WATERMARK_PERCENT. Free space, or enlarge the disk.`),
    ),
    ...unknown.map((path) =>
      warn(`The disk of ${path} cannot be read. Look at DATABASE_DISK_PATH.`),
    ),
  ]
  return lines.length > 0 ? lines : [ok(`less than ${watermarkPercent}% full`)]
}
