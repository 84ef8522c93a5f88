// One request, one response. Errors of the other side are returned as data.
import type { RequestOutcome, ServeRequest, Serving } from './bus.ts'
import type { Inbox } from './inbox.ts'
import { readObject } from './messages.ts'
import { fitsMessage } from './packing.ts'
import { OWNERS_QUEUE, requestsSubject } from './subjects.ts'
import { type OnError, toError, type Wire, type WireMessage } from './wire.ts'

const MAX_IN_FLIGHT = 1000

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

export async function serveRequests(
  server: RequestServer,
  name: string,
  handler: ServeRequest,
): Promise<Serving> {
  return server.wire.subscribe({
    subject: requestsSubject(name),
    queue: OWNERS_QUEUE,
    onMessage(message) {
      const serving = serve(server, message, handler)
      server.inFlight.add(serving)
      void serving.finally(() => server.inFlight.delete(serving))
    },
  })
}

// Never rejects: errors are sent as the response.
async function serve(server: RequestServer, message: WireMessage, handler: ServeRequest) {
  const text = await respond(server, message.text, handler)
  const fitting = fitsMessage(text) ? text : JSON.stringify({ error: 'The answer is too large.' })
  if (message.reply !== '') server.wire.publish(message.reply, fitting, '')
}

async function respond(server: RequestServer, text: string, handler: ServeRequest) {
  if (server.inFlight.size >= MAX_IN_FLIGHT) return JSON.stringify({ error: 'Too many requests.' })
  try {
    const body = await handler(readObject(text)?.['body'])
    return JSON.stringify({ body })
  } catch (thrown) {
    const error = toError(thrown)
    server.onError(error)
    return JSON.stringify({ error: error.message })
  }
}
