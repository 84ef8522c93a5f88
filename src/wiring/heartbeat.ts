// The heartbeat of the whole installation, sent to another one that alerts its operator.
import type { Condition, HealthSignal } from '../domain/operating/condition.ts'
import { createOperatorOutbound } from '../outbound/create-outbound.ts'
import { postText } from '../outbound/post-text.ts'
import type { Config } from '../platform/config/config.ts'
import { Database } from '../store/core/db.ts'
import { findProcesses } from '../store/operating/processes.ts'

const USER_AGENT = 'Upvane/1 (self-watch)'
const ASK_MS = 4_000

type Call = (
  signal: HealthSignal,
  conditions: readonly Pick<Condition, 'message'>[],
) => Promise<void>
type HeartbeatConfig = Pick<Config, 'selfWatch' | 'probeDnsServers'>

/** Undefined if no address is configured. */
export function createHeartbeat(config: HeartbeatConfig): Call | undefined {
  const { heartbeatUrl } = config.selfWatch
  if (heartbeatUrl === undefined) return undefined
  const { probeDnsServers: dnsServers } = config
  const { guard } = createOperatorOutbound({ dnsServers, userAgent: USER_AGENT })
  const url = new URL(heartbeatUrl)
  const failUrl = new URL(url)
  failUrl.pathname = `${url.pathname.replace(/\/$/, '')}/fail`
  return async (signal, conditions) => {
    const body = conditions.map(({ message }) => message).join('\n')
    const status = await postText(guard, signal === 'WELL' ? url : failUrl, body)
    if (status < 200 || status > 299) throw new Error(`The heartbeat was answered with ${status}`)
  }
}

/**
 * Reports a process that could not start, unless another one is running: that one judges the whole installation. Never
 * rejects, and takes at most 12 s.
 */
export async function reportFailedStart(config: Config, reason: string): Promise<void> {
  const call = createHeartbeat(config)
  if (call === undefined || (await isAnyRunning(config))) return
  const message = `A process of Upvane could not start: ${reason}`
  await call('FAIL', [{ message }]).catch(() => {})
}

async function isAnyRunning({
  databaseUrl: url,
  databaseProtocol: protocol,
}: Config): Promise<boolean> {
  if (url === '') return false
  const options = { url, protocol, role: 'upvane_engine', connections: 1 } as const
  const database = new Database(options, () => {})
  const late = Promise.withResolvers<boolean>()
  const timer = setTimeout(() => late.resolve(false), ASK_MS)
  const asked = database.transaction(undefined, findProcesses).then(
    (processes) => processes.length > 0,
    () => false,
  )
  const isRunning = await Promise.race([asked, late.promise])
  clearTimeout(timer)
  // The process exits right after this, and its connection with it.
  void database.close().catch(() => {})
  return isRunning
}
