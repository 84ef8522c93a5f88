// Tells whether this probe's own network works. Asked when a target is silent, so that an outage of ours is not blamed on
// every target.
import { publicOnly } from '../../outbound/create-outbound.ts'
import { type Outbound, openOutboundConnection } from '../../outbound/outbound-connection.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import { isPublic } from '../../outbound/permit.ts'

export type ControlTargets = {
  /** For older schedulers: whether a control target accepts TCP. Null without control targets. */
  reached(): Promise<boolean | null>
  /**
   * Whether anything answers at once: a control target or, without them, one of these pairs of a public address and a port.
   * To refuse is an answer. Null if there is nothing to ask.
   */
  sample(pairs: readonly string[]): Promise<boolean | null>
}

const ACCEPT = { waitMs: 2000, spacingMs: 2000, refusing: false }
// A check may be decided by a sample, so it must be about the network that its own first packet met: a sample that many
// checks share is hardly older than they are, and ends before a packet is sent again, after a second. An answer to that one
// could mean that the network came back meanwhile.
const SAMPLE = { waitMs: 900, spacingMs: 250, refusing: true }
const MAX_PAIRS = 5

/** `targets` are `host:port`, named by the operator of the probe. */
export function createControlTargets(
  outbound: Outbound,
  targets: readonly string[],
): ControlTargets {
  const restricted = publicOnly(outbound)
  const accepts = once(ACCEPT, () => anyAnswers(outbound, targets, ACCEPT))
  const sampling = once(SAMPLE, (pairs: readonly string[]) =>
    targets.length > 0
      ? anyAnswers(outbound, targets, SAMPLE)
      : anyAnswers(restricted, pairs, SAMPLE),
  )
  return {
    reached: async () => (targets.length === 0 ? null : accepts()),
    async sample(wanted) {
      const pairs = wanted.filter(isPublicPair).slice(0, MAX_PAIRS)
      return targets.length === 0 && pairs.length === 0 ? null : sampling(pairs)
    },
  }
}

/** Concurrent checks share a round, and a round that began a moment ago is not repeated. */
function once<Argument extends unknown[], Answer>(
  { spacingMs }: Asking,
  ask: (...argument: Argument) => Promise<Answer>,
): (...argument: Argument) => Promise<Answer> {
  let last: { atMs: number; answer: Promise<Answer> } | undefined
  return (...argument) => {
    const nowMs = performance.now()
    if (last === undefined || nowMs - last.atMs > spacingMs)
      last = { atMs: nowMs, answer: ask(...argument) }
    return last.answer
  }
}

/** A scheduler sends addresses, never names: what it names is what is reached. */
function isPublicPair(pair: string): boolean {
  const { host, port } = parsePair(pair)
  return isPublic(host) && port > 0 && port < 65_536
}

function parsePair(pair: string): { host: string; port: number } {
  const [, host = '', port = ''] = /^(.*):(\d+)$/.exec(pair) ?? []
  const isBracketed = host.startsWith('[') && host.endsWith(']')
  return { host: isBracketed ? host.slice(1, -1) : host, port: Number(port) }
}

const isAnswer = (error: unknown) =>
  error instanceof OutboundError && (error.code === 'REFUSED' || error.code === 'RESET')

type Asking = { waitMs: number; spacingMs: number; refusing: boolean }

async function anyAnswers(
  outbound: Outbound,
  targets: readonly string[],
  { waitMs, refusing }: Asking,
): Promise<boolean> {
  const { signal, connect } = openOutboundConnection(outbound, AbortSignal.timeout(waitMs))
  const tries = targets.map(async (target) => {
    try {
      const connection = await connect({ ...parsePair(target), mailPorts: true })
      connection.close()
    } catch (error) {
      if (!refusing || !isAnswer(error)) throw error
    }
  })
  return Promise.any(tries).then(
    () => !signal.aborted,
    () => false,
  )
}
