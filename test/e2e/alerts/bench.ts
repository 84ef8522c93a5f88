// The product with people, contacts, and stand-ins for their providers.
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import type { Environment, Service } from '../../../tools/stack.ts'
import { type AppBench, startAppBench } from '../../app/bench.ts'
import type { Visitor } from '../../kit/app-client.ts'
import { type SmtpSink, startSmtpSink } from '../../kit/smtp-sink.ts'
import { listen } from '../../kit/targets/listen.ts'

const WAIT_MS = 60_000
const POLL_MS = 50
const SCHEDULE = Array(9).fill('0.3').join(',')

export type Heard = {
  method: string
  path: string
  headers: Record<string, string>
  body: Record<string, unknown>
}

export type StandIn = {
  origin: string
  heard: Heard[]
  /** By path; what is not said is answered 200. */
  answers: Map<string, { status: number; body?: string; headers?: Record<string, string> }>
  at(path: string): Heard[]
  /** How long it takes to answer. */
  delayMs: number
  close(): Promise<void>
}

/** A server in the place of every provider, that keeps what it is sent. */
export async function startStandIn(): Promise<StandIn> {
  const heard: Heard[] = []
  const answers: StandIn['answers'] = new Map()
  const standIn = { delayMs: 0 }
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const { method = '', url: path = '' } = request
    const headers = Object.fromEntries(
      Object.entries(request.headers).map(([name, value]) => [name, String(value)]),
    )
    const body = JSON.parse(Buffer.concat(chunks).toString()) as Heard['body']
    heard.push({ method, path, headers, body })
    const { status, body: text = '{}', headers: more = {} } = answers.get(path) ?? { status: 200 }
    if (standIn.delayMs > 0) await delay(standIn.delayMs)
    response.writeHead(status, more).end(text)
  })
  const { port, close } = await listen(server)
  const origin = `http://127.0.0.1:${port}`
  const at = (path: string) => heard.filter((one) => one.path === path)
  return Object.assign(standIn, { origin, heard, answers, at, close })
}

export type AlertBench = AppBench & {
  standIn: StandIn
  sink: SmtpSink
  dispatcher: Service
  admin: Visitor
  contacts: string
  createContact(fields: Record<string, unknown>): Promise<string>
  deliveriesTo(contactId: string): Promise<AlertDelivery[]>
  until<T>(what: string, look: () => Promise<T | undefined | false>): Promise<T>
  stop(): Promise<void>
}

export type AlertDelivery = {
  id: string
  kind: string
  title: string
  status: string
  attemptCount: number
  lastResponseStatus: number | null
  error: string | null
}

export async function startAlertBench(env: Environment = {}): Promise<AlertBench> {
  const standIn = await startStandIn()
  const sink = await startSmtpSink()
  const bench = await startAppBench({
    SMTP_URL: `smtp://127.0.0.1:${sink.port}?tls=off`,
    SMTP_FROM: 'alerts@upvane.example',
    WEBHOOK_RETRY_SCHEDULE_SECONDS: SCHEDULE,
    ALERT_HOLD_SECONDS: '2',
    ALERT_TOGETHER_SECONDS: '20',
    TELEGRAM_URL: standIn.origin,
    PAGERDUTY_URL: standIn.origin,
    OPSGENIE_URL: standIn.origin,
    PUSHOVER_URL: standIn.origin,
    ...env,
  })
  const dispatcher = await bench.stack.start('dispatcher', {
    env: { BASE_URL: bench.service.baseUrl },
  })
  const { visitor: admin } = await bench.join(bench.orgId, 'ADMIN')
  const contacts = `/organizations/${bench.orgId}/alert-contacts`
  return {
    ...bench,
    standIn,
    sink,
    dispatcher,
    admin,
    contacts,
    until,
    async createContact(fields) {
      const answer = await admin.post(contacts, { name: 'On call', ...fields })
      assert.equal(answer.status, 201, answer.text)
      return (answer.json as { id: string }).id
    },
    async deliveriesTo(contactId) {
      const answer = await admin.get(`${contacts}/${contactId}/deliveries`)
      return (answer.json as { data: AlertDelivery[] }).data
    },
    async stop() {
      await bench.stop()
      await sink.close()
      await standIn.close()
    },
  }
}

export async function until<T>(
  what: string,
  look: () => Promise<T | undefined | false>,
  waitMs = WAIT_MS,
): Promise<T> {
  const endMs = performance.now() + waitMs
  for (;;) {
    const found = await look()
    if (found !== undefined && found !== false) return found
    assert.ok(performance.now() < endMs, `waited in vain for ${what}`)
    await delay(POLL_MS)
  }
}
