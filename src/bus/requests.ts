// One request, one response. Errors of the other side are returned as data.
import type { RequestOutcome, ServeRequest, ServeSenders, Serving } from './bus.ts'
import type { Inbox } from './inbox.ts'
import { readObject } from './messages.ts'
import { fitsMessage } from './packing.ts'
import { isInbox, OWNERS_QUEUE, requestsSubject, senderOf, sendersSubject } from './subjects.ts'
import { type OnError, toError, type Wire, type WireMessage } from './wire.ts'

const MAX_IN_FLIGHT = 1000
const MAX_IN_FLIGHT_OF_SENDERS = 100
// A request and one more that asks again, so that those who ask without end leave room for the others.
const MAX_IN_FLIGHT_OF_SENDER = 2

type Requester = { wire: Wire; inbox: Inbox }

export async function request(
  { wire, inbox }: Requester,
  name: string,
  body: unknown,
  timeoutMs: number,
): Promise<RequestOutcome> {
  const subject = requestsSubject(name)
  const text = JSON.stringify({ body })
  if (!fitsMessage(text)) throw new Error('A request is larger than a message may be.')
  if (!wire.isConnected()) return { kind: 'nobody' }
  const { promise, resolve } = Promise.withResolvers<RequestOutcome>()
  const expected = await inbox.expect({
    onMessage: (message) => resolve(readOutcome(message)),
    onClose: () => resolve({ kind: 'silent' }),
  })
  if (expected === undefined) return { kind: 'nobody' }
  const timer = setTimeout(() => resolve({ kind: 'silent' }), timeoutMs)
  if (!wire.publish(subject, text, expected.replySubject)) resolve({ kind: 'nobody' })
  const outcome = await promise
  clearTimeout(timer)
  expected.forget()
  return outcome
}

function readOutcome({ noResponders, text }: WireMessage): RequestOutcome {
  if (noResponders) return { kind: 'nobody' }
  const reply = readObject(text)
  if (reply === undefined) return { kind: 'error', message: 'The answer is not readable.' }
  const { error, body } = reply
  return typeof error === 'string' ? { kind: 'error', message: error } : { kind: 'answer', body }
}

type RequestServer = { wire: Wire; onError: OnError; inFlight: Set<Promise<void>> }
type Handling = { max: number; inFlight: { readonly size: number }; handler: ServeRequest }

export async function serveRequests(
  server: RequestServer,
  name: string,
  handler: ServeRequest,
): Promise<Serving> {
  return server.wire.subscribe({
    subject: requestsSubject(name),
    queue: OWNERS_QUEUE,
    onMessage(message) {
      const { inFlight } = server
      track(inFlight, serve(server, message, { max: MAX_IN_FLIGHT, inFlight, handler }))
    },
  })
}

export async function serveSenders(
  server: RequestServer,
  name: string,
  { admit, handle }: ServeSenders,
): Promise<Serving> {
  const inFlight = new Map<Promise<void>, string>()
  const countOf = (sender: string) =>
    inFlight
      .values()
      .filter((other) => other === sender)
      .toArray().length
  const onMessage = (message: WireMessage) => {
    const sender = senderOf(message.subject, name)
    const max = MAX_IN_FLIGHT_OF_SENDERS
    // Who gets no response asks again; who gets an error gives up.
    if (!admit(sender) || countOf(sender) >= MAX_IN_FLIGHT_OF_SENDER || inFlight.size >= max) return
    const handler = (body: unknown) => handle(body, sender)
    const serving = serve(server, message, { max, inFlight, handler })
    inFlight.set(serving, sender)
    void serving.finally(() => inFlight.delete(serving))
    // Closing waits for these as well.
    track(server.inFlight, serving)
  }
  const queue = OWNERS_QUEUE
  const servings = await Promise.all(
    [requestsSubject(name), sendersSubject(name)].map((subject) =>
      server.wire.subscribe({ subject, queue, onMessage }),
    ),
  )
  return { stop: async () => void (await Promise.all(servings.map((serving) => serving.stop()))) }
}

function track(inFlight: Set<Promise<void>>, serving: Promise<void>): void {
  inFlight.add(serving)
  void serving.finally(() => inFlight.delete(serving))
}

// Never rejects: errors are sent as the response.
async function serve(server: RequestServer, message: WireMessage, handling: Handling) {
  const text = await respond(server, message.text, handling)
  const fitting = fitsMessage(text) ? text : JSON.stringify({ error: 'The answer is too large.' })
  if (isInbox(message.reply)) server.wire.publish(message.reply, fitting, '')
}

async function respond(
  server: RequestServer,
  text: string,
  { max, inFlight, handler }: Handling,
): Promise<string> {
  if (inFlight.size >= max) return JSON.stringify({ error: 'Too many requests.' })
  try {
    const body = await handler(readObject(text)?.['body'])
    return JSON.stringify({ body })
  } catch (thrown) {
    const error = toError(thrown)
    server.onError(error)
    return JSON.stringify({ error: error.message })
  }
}
