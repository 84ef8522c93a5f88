// A push service on loopback with browsers that subscribe to it. It checks who sends and every header, and each browser
// decrypts what it gets.
import assert from 'node:assert/strict'
import { createECDH, randomBytes } from 'node:crypto'
import { createServer, type IncomingHttpHeaders, type IncomingMessage } from 'node:http'
import { listen } from '../targets/listen.ts'
import { decryptPush, type Receiver } from './decrypt.ts'
import { readVapid } from './vapid.ts'

const MAX_BODY_BYTES = 4096
const URGENCIES = ['very-low', 'low', 'normal', 'high']

type ShownNotification = {
  title: string
  body: string
  url: string
  tag: string
  at: string
}
type PushedMessage = {
  notification: ShownNotification
  ttl: number
  urgency: string
  topic: string
  bytes: number
  /** The key that identifies the sender. */
  sender: string
  subject: string
}
type Answer = { status: number; headers?: Record<string, string>; body?: string }

/** A browser with a subscription. */
export type PushBrowser = {
  /** As the dashboard registers it. */
  subscription: { endpoint: string; keys: { p256dh: string; auth: string } }
  messages: PushedMessage[]
  /** All requests for it, whatever was answered. */
  requests: number
  /** What the service answers instead of accepting. */
  answer: Answer | undefined
}

type PushService = {
  origin: string
  subscribe(): PushBrowser
  /** Violations of the standards. */
  complaints: string[]
  close(): Promise<void>
}

export async function startPushService(): Promise<PushService> {
  const browsers = new Map<string, PushBrowser & { receiver: Receiver }>()
  const complaints: string[] = []
  const server = createServer(async (request, response) => {
    const body = await readBody(request)
    const browser = browsers.get(request.url ?? '')
    if (browser === undefined) return void response.writeHead(404).end()
    browser.requests += 1
    const { answer } = browser
    if (answer !== undefined)
      return void response.writeHead(answer.status, answer.headers).end(answer.body)
    try {
      browser.messages.push(receive(request, body, { origin, receiver: browser.receiver }))
      response.writeHead(201, { location: `${origin}/message` }).end()
    } catch (error) {
      complaints.push(String(error))
      response.writeHead(400).end(String(error))
    }
  })
  const { port, close } = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  return {
    origin,
    complaints,
    close,
    subscribe() {
      const path = `/wpush/v2/${randomBytes(24).toString('base64url')}`
      const receiver = { ecdh: createECDH('prime256v1'), auth: randomBytes(16) }
      const p256dh = receiver.ecdh.generateKeys('base64url')
      const keys = { p256dh, auth: receiver.auth.toString('base64url') }
      const subscription = { endpoint: origin + path, keys }
      const browser = { subscription, messages: [], requests: 0, answer: undefined, receiver }
      browsers.set(path, browser)
      return browser
    },
  }
}

async function readBody(request: IncomingMessage): Promise<Buffer> {
  const chunks: Buffer[] = []
  for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
  return Buffer.concat(chunks)
}

function receive(
  { method, headers }: { method?: string | undefined; headers: IncomingHttpHeaders },
  body: Buffer,
  { origin, receiver }: { origin: string; receiver: Receiver },
): PushedMessage {
  const header = (name: string) => String(headers[name] ?? '')
  assert.equal(method, 'POST')
  assert.equal(header('content-encoding'), 'aes128gcm')
  assert.ok(body.length <= MAX_BODY_BYTES, `${body.length} bytes`)
  assert.match(header('ttl'), /^\d+$/)
  assert.match(header('topic'), /^[\w-]{1,32}$/)
  assert.ok(URGENCIES.includes(header('urgency')), 'urgency')
  const { problem, publicKey, subject } = readVapid(header('authorization'), origin, new Date())
  assert.equal(problem, undefined, 'VAPID')
  assert.match(subject, /^(?:mailto:|https?:)/)
  const text = decryptPush(body, receiver).toString('utf8')
  return {
    notification: JSON.parse(text) as ShownNotification,
    ttl: Number(header('ttl')),
    urgency: header('urgency'),
    topic: header('topic'),
    bytes: body.length,
    sender: publicKey,
    subject,
  }
}
