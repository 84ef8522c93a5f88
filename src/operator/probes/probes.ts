// Regions and probes, as the operator adds, lists and revokes them.
import { readFileSync } from 'node:fs'
import { findAuthority } from '../../actions/probes/bus-authority.ts'
import { createProbeToken, tokenText } from '../../actions/probes/create-token.ts'
import { pushRevocations, recordRevocation } from '../../actions/probes/revoke.ts'
import { joinLine, webSocketUrlOf } from '../../domain/operating/join-line.ts'
import { countExpected } from '../../domain/operating/probe-names.ts'
import type { Config } from '../../platform/config/config.ts'
import type { Database } from '../../store/core/db.ts'
import { listRegionNames } from '../../store/core/regions.ts'
import { listProbes } from '../../store/operating/probes.ts'
import { PeopleSecrets } from '../../store/people/people-secrets.ts'
import { recordCommand } from '../cli/audit.ts'
import type { CommandContext } from '../cli/command.ts'
import { duration, type Flags, required, UsageError } from '../cli/flags.ts'

const DAY_SECONDS = 86_400
const REGION = /^[a-z0-9-]{1,32}$/
const PROBE = /^[A-Za-z0-9_-]{1,64}$/

export async function addRegion(context: CommandContext) {
  const { engine, config } = context
  const flags = context.argument(0, 'region')
  const region = required(flags, 'region')
  if (!REGION.test(region))
    throw new UsageError('A region has 1 to 32 lower-case letters, digits or hyphens.')
  const name = flags['name'] === undefined ? null : required(flags, 'name')
  if (name !== null && !PROBE.test(name))
    throw new UsageError('--name must be 1 to 64 letters, digits, hyphens or underscores.')
  const seconds = duration(flags, 'expires-in') ?? DAY_SECONDS
  if (seconds > DAY_SECONDS || seconds < 1) throw new UsageError('--expires-in must be 1s to 24h.')
  const { url, ca, isWeb } = wayToNats(flags, config)
  const seeds = await authorityOf(engine, config)
  return engine.transaction(undefined, async (tx) => {
    const draft = { region, name, seconds, url, ca }
    const { expiresAt, ...token } = await createProbeToken(tx, seeds, draft)
    await recordCommand(tx, { action: 'region add', detail: { region, token: token.id } })
    const text = tokenText(token)
    return { region, expiresAt, token: text, ...(isWeb && { line: joinLine(text) }) }
  })
}

export async function listRegionsForOperator(engine: Database) {
  const [names, probes] = await Promise.all([listRegionNames(engine), listProbes(engine)])
  return names.map((region) => {
    const own = probes.filter((probe) => probe.region === region && probe.revokedAt === null)
    return { region, probes: countExpected(own), live: own.filter(({ isLive }) => isLive).length }
  })
}

export async function listProbesForOperator(engine: Database) {
  const probes = await listProbes(engine)
  return probes.map(({ lastSeenAt, revokedAt, provesName, ...probe }) => ({
    ...probe,
    identity: identityOf(provesName),
    lastSeenAt,
    revokedAt,
  }))
}

function identityOf(provesName: boolean | null): string | null {
  if (provesName === null) return null
  return provesName ? 'verified' : 'not verified'
}

export async function revoke(context: CommandContext) {
  const { engine, config } = context
  const name = required(context.argument(0, 'name'), 'name')
  const done = await recordRevocation(engine, name, (tx, region) =>
    recordCommand(tx, { action: 'probe revoke', detail: { probe: name, region } }),
  )
  if (done === undefined)
    throw new UsageError(
      `No probe named ${name} joined by token. Others are revoked in the configuration of NATS.`,
    )
  return { name, region: done.region, ...(await push(engine, config)) }
}

export async function push(
  engine: Database,
  config: Config,
): Promise<{ disconnected: boolean; reason?: string }> {
  const { natsUrl: url, natsCaFile: caFile } = config
  if (url === undefined) return { disconnected: false, reason: 'NATS_URL is not set here.' }
  try {
    const target = { url, ...(caFile === undefined ? {} : { caFile }) }
    await pushRevocations(target, await authorityOf(engine, config), engine)
    return { disconnected: true }
  } catch (error) {
    const reason = `${(error as Error).message} The next start of an api process tries again.`
    return { disconnected: false, reason }
  }
}

async function authorityOf(engine: Database, { masterKeys }: Config) {
  const seeds = await findAuthority(engine, new PeopleSecrets(masterKeys))
  if (seeds === undefined)
    throw new UsageError('This installation has no keys for NATS yet. Run upvane nats setup first.')
  return seeds
}

type Way = { url: string; ca: string; isWeb: boolean }

function wayToNats(flags: Flags, config: Config): Way {
  const { through } = flags
  const caFile = flags['ca-file']
  if (through === undefined) {
    if (caFile !== undefined) throw new UsageError('--ca-file belongs to --through.')
    const url = serverUrl(flags['nats-url'] ?? config.natsUrl)
    return { url, ca: authorityText(config.natsCaFile), isWeb: false }
  }
  if (flags['nats-url'] !== undefined)
    throw new UsageError('--through and --nats-url exclude each other.')
  const ca = caFile === undefined ? '' : authorityText(required(flags, 'ca-file'))
  const url = webSocketUrlOf(required(flags, 'through'))
  if (url === undefined)
    throw new UsageError('--through must be an https address, such as https://upvane.example.com.')
  return { url, ca, isWeb: true }
}

/** Without a user: the token includes its own. */
function serverUrl(given: string | boolean | undefined): string {
  const url = typeof given === 'string' ? URL.parse(given) : null
  if (url !== null && ['ws:', 'wss:'].includes(url.protocol))
    return `${url.protocol}//${url.host}${url.pathname}`
  if (url === null || !['tls:', 'nats:'].includes(url.protocol))
    throw new UsageError('--nats-url or NATS_URL must say where the other machine reaches NATS.')
  return `${url.protocol}//${url.host}`
}

function authorityText(file: string | undefined): string {
  if (file === undefined) return ''
  try {
    return readFileSync(file, 'utf8')
  } catch {
    throw new UsageError(`${file} cannot be read.`)
  }
}
