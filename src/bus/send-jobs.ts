// The sender's side of one packet: sent, accepted, and answered in parts.
import type { JobResult, OnResults, Packet, ProbeResult, Responders, SendOutcome } from './bus.ts'
import type { ExpectedReply, Inbox } from './inbox.ts'
import { type Responder, readReply, unreadable } from './messages.ts'
import { fitsMessage } from './packing.ts'
import type { ProbeKeys } from './probe-keys.ts'
import { directJobsSubject, jobsSubject } from './subjects.ts'
import { type OnError, toError, type Wire, type WireMessage } from './wire.ts'

const ACCEPT_WAIT_MS = 500
// How long after the longest budget results are still accepted.
export const RESULT_GRACE_MS = 60_000

type Sender = { wire: Wire; inbox: Inbox; keys: ProbeKeys; onError: OnError }
type Order = {
  region: string
  packet: Packet
  onResults: OnResults
  responders: Responders | undefined
}

export async function sendJobs(sender: Sender, order: Order): Promise<SendOutcome> {
  const { region, packet, responders } = order
  const to = responders?.to
  const subject = to === undefined ? jobsSubject(region) : directJobsSubject({ region, probe: to })
  if (!fitsMessage(packet.text)) throw new Error('A packet is larger than a message may be.')
  if (!sender.wire.isConnected()) return 'nobody'
  const sending = new PacketSend({ ...order, keys: sender.keys, onError: sender.onError })
  const expected = await sender.inbox.expect(sending)
  if (expected === undefined) return 'nobody'
  if (!sender.wire.publish(subject, packet.text, expected.replySubject)) {
    expected.forget()
    return 'nobody'
  }
  return sending.wait(expected)
}

type Sent = Order & { keys: ProbeKeys; onError: OnError }

class PacketSend {
  readonly #sent: Sent
  readonly #unanswered: Set<string>
  readonly #outcome = Promise.withResolvers<SendOutcome>()
  #expected: ExpectedReply | undefined
  /** A packet reaches one probe: all responses to it come from that one. */
  #responder: string | undefined
  #acceptTimer: NodeJS.Timeout | undefined
  #endTimer: NodeJS.Timeout | undefined

  constructor(sent: Sent) {
    this.#sent = sent
    this.#unanswered = new Set(sent.packet.items.map(({ id }) => id))
  }

  wait(expected: ExpectedReply): Promise<SendOutcome> {
    const longestMs = Math.max(...this.#sent.packet.items.map(({ budgetMs }) => budgetMs))
    this.#expected = expected
    this.#acceptTimer = setTimeout(() => this.#outcome.resolve('silent'), ACCEPT_WAIT_MS)
    this.#endTimer = setTimeout(() => this.#end('silent'), longestMs + RESULT_GRACE_MS)
    return this.#outcome.promise
  }

  onMessage(message: WireMessage): void {
    if (message.noResponders) {
      this.#end('nobody')
      return
    }
    const reply = readReply(message.text)
    if (reply === undefined) return this.#onNonsense('sent what is not a reply')
    const { probe } = reply.from
    if (!this.#isFrom(reply.from)) return this.#onNonsense(`answered as ${probe}, which it is not`)
    if (this.#sent.responders?.hears?.(probe) === false) return this.#end('refused')
    this.#responder = probe
    if ('results' in reply) this.#onResults(probe, reply.results)
    else if (reply.answer === 'busy') this.#end('busy')
    else this.#accept()
  }

  #isFrom({ probe, key }: Responder): boolean {
    const { region, keys, responders } = this.#sent
    const known = this.#responder ?? responders?.to ?? probe
    return known === probe && keys.proves({ region, probe }, key, performance.now())
  }

  // Once it is known who has the packet, that probe has answered all of it with nonsense.
  #onNonsense(what: string): void {
    const { region, onError } = this.#sent
    const who = this.#responder ?? this.#sent.responders?.to
    onError(new Error(`Probe ${who ?? 'unknown'} of region ${region} ${what}.`))
    if (this.#responder === undefined) this.#end('refused')
    else this.#onResults(this.#responder, [...this.#unanswered].map(unreadable))
  }

  onClose(): void {
    this.#end('silent')
  }

  #accept(): void {
    clearTimeout(this.#acceptTimer)
    this.#outcome.resolve('accepted')
  }

  #onResults(probe: string, results: ProbeResult[]): void {
    const { region, onResults, onError } = this.#sent
    this.#accept()
    const counted = results.filter(({ id }) => this.#unanswered.delete(id))
    if (counted.length < results.length)
      onError(new Error(`Probe ${probe} of ${region} sent results of jobs that it was not asked.`))
    if (this.#unanswered.size === 0) this.#end('accepted')
    if (counted.length === 0) return
    try {
      onResults(counted.map((result): JobResult => toJobResult(result, region, probe)))
    } catch (error) {
      onError(toError(error))
    }
  }

  // The first outcome counts; later ones change nothing.
  #end(outcome: SendOutcome): void {
    clearTimeout(this.#acceptTimer)
    clearTimeout(this.#endTimer)
    this.#expected?.forget()
    this.#outcome.resolve(outcome)
  }
}

// Copied field by field, so that a probe cannot add fields to a result.
function toJobResult(result: ProbeResult, region: string, probe: string): JobResult {
  const { id, acceptedToStartMs, startedToEndMs, attempt } = result
  return { id, region, probe, acceptedToStartMs, startedToEndMs, attempt }
}
