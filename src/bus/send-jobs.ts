// The sender's side of one packet: sent, accepted, and answered in parts.
import type { JobResult, OnResults, Packet, ProbeResult, SendOutcome } from './bus.ts'
import type { ExpectedReply, Inbox } from './inbox.ts'
import { readReply } from './messages.ts'
import { fitsMessage } from './packing.ts'
import { jobsSubject } from './subjects.ts'
import { type OnError, toError, type Wire, type WireMessage } from './wire.ts'

const ACCEPT_WAIT_MS = 500
// How long after the longest budget results are still accepted.
export const RESULT_GRACE_MS = 60_000

type Sender = { wire: Wire; inbox: Inbox; onError: OnError }

export async function sendJobs(
  sender: Sender,
  region: string,
  packet: Packet,
  onResults: OnResults,
): Promise<SendOutcome> {
  const subject = jobsSubject(region)
  if (!fitsMessage(packet.text)) throw new Error('A packet is larger than a message may be.')
  if (!sender.wire.isConnected()) return 'nobody'
  const sending = new PacketSend({ region, packet, onResults, onError: sender.onError })
  const expected = await sender.inbox.expect(sending)
  if (expected === undefined) return 'nobody'
  if (!sender.wire.publish(subject, packet.text, expected.replySubject)) {
    expected.forget()
    return 'nobody'
  }
  return sending.wait(expected)
}

type Sent = { region: string; packet: Packet; onResults: OnResults; onError: OnError }

class PacketSend {
  readonly #sent: Sent
  readonly #unanswered: Set<string>
  readonly #outcome = Promise.withResolvers<SendOutcome>()
  #expected: ExpectedReply | undefined
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
    if (reply === undefined) {
      this.#sent.onError(new Error(`A probe of ${this.#sent.region} sent what is not a reply.`))
      return
    }
    if ('results' in reply) this.#onResults(reply.probe, reply.results)
    else if (reply.answer === 'busy') this.#end('busy')
    else this.#accept()
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
