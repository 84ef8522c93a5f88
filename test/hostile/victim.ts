// The well-behaved organization: it lists and creates monitors, has its checks run and its webhooks delivered, and
// everything it sees is measured. Requests start by the clock, regardless of earlier responses, so that a stalled
// product shows in every figure.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { createServer, type Server } from 'node:http'
import { setTimeout as sleep } from 'node:timers/promises'
import { watchBusyness } from '../../benchmarks/machine.ts'
import type { Service } from '../../tools/stack.ts'
import type { Database } from '../kit/database.ts'
import { toUuid } from '../kit/ids.ts'
import { type Listening, listen } from '../kit/targets/listen.ts'
import { type Figures, MAX_CHECK_LATE_MS, MAX_DELIVERY_LATE_MS, type Sample } from './figures.ts'
import { type Interval, LagWatch } from './lag.ts'
import { createSender, type Send, type Sender, type Sent } from './send.ts'

const MONITORS = 60
const INTERVAL_MS = 30_000
const FIRST_CHECKS_WITHIN_MS = 60_000
const LIST_EVERY_MS = 100
const CREATE_EVERY_MS = 200
const LIVEZ_EVERY_MS = 50
// A slot may be fired this much early by the product's clock, which follows the database's.
const CLOCK_SLACK_MS = 50
/** The victim's connections come from here, the attacker's from elsewhere. */
export const VICTIM_ADDRESS = '127.0.0.1'

type Watched = { id: string; path: string; slotMs: number }
type ReceivedEvent = { eventMs: number; arrivedMs: number }

type VictimOptions = { db: Database; orgId: string; keys: readonly string[] }

export class Victim {
  readonly #options: VictimOptions
  readonly #lag = new LagWatch()
  readonly #servers: Listening[] = []
  readonly #hits = new Map<string, number[]>()
  readonly #receivedEvents = new Map<string, ReceivedEvent>()
  #watched: Watched[] = []
  #service: Service | undefined
  #api: Sender | undefined
  #internal: Sender | undefined
  #sends = 0

  constructor(options: VictimOptions) {
    this.#options = options
  }

  get baseUrl(): string {
    return this.#service?.baseUrl ?? ''
  }

  /** Called again after a restart of the product. */
  follow(service: Service): void {
    this.#api?.close()
    this.#internal?.close()
    this.#service = service
    this.#api = createSender(service.baseUrl, VICTIM_ADDRESS)
    this.#internal = createSender(service.internalUrl, VICTIM_ADDRESS)
  }

  /** Creates the monitors, and waits until each was checked once. */
  async settle(): Promise<void> {
    const target = await this.#serve(
      createServer((request, response) => {
        this.#noteHit(request.url ?? '')
        response.end('ok')
      }),
    )
    const receiver = await this.#serve(
      createServer(async (request, response) => {
        const arrivedMs = Date.now()
        const chunks: Buffer[] = []
        for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
        response.end()
        this.#noteEvent(Buffer.concat(chunks).toString(), arrivedMs)
      }),
    )
    const url = `http://127.0.0.1:${receiver.port}/events`
    await this.#insist({ method: 'POST', path: '/webhook-endpoints', body: { url } })
    for (let number = 0; number < MONITORS; number++) {
      const path = `/watched/${number}`
      const fields = {
        type: 'HTTP',
        intervalSeconds: INTERVAL_MS / 1000,
        name: `Watched ${number}`,
      }
      const body = { ...fields, url: `http://127.0.0.1:${target.port}${path}` }
      const answer = await this.#insist({ method: 'POST', path: '/monitors', body })
      this.#watched.push({ id: (JSON.parse(answer.text) as { id: string }).id, path, slotMs: 0 })
    }
    const lastMs = Date.now() + FIRST_CHECKS_WITHIN_MS
    for (const { path } of this.#watched)
      while (!this.#hits.has(path)) {
        assert.ok(Date.now() < lastMs, `${path} was not checked`)
        await sleep(LIST_EVERY_MS)
      }
  }

  /** Measures for that many seconds. */
  async measure(name: string, seconds: number): Promise<Figures> {
    await this.#readSlots()
    const memoryMib = this.memoryMib()
    const waitedMs = this.#waitedMs()
    const busyness = watchBusyness()
    const figures = emptyFigures(name)
    const expected: string[] = []
    this.#lag.takeWorstMs()
    const fromMs = Date.now()
    const toMs = fromMs + seconds * 1000
    const pending: Promise<unknown>[] = []
    const timers = [
      setInterval(() => pending.push(this.#list(figures)), LIST_EVERY_MS),
      setInterval(() => pending.push(this.#createAndDelete(figures, expected)), CREATE_EVERY_MS),
      setInterval(() => pending.push(this.#requestLivez(figures)), LIVEZ_EVERY_MS),
    ]
    await sleep(toMs - Date.now())
    for (const timer of timers) clearInterval(timer)
    figures.grownMib = this.memoryMib() - memoryMib
    figures.waitedShare = (this.#waitedMs() - waitedMs) / (seconds * 1000)
    figures.stealPercent = busyness().after.stealPercent
    await Promise.all(pending)
    await sleep(Math.max(MAX_CHECK_LATE_MS, MAX_DELIVERY_LATE_MS))
    figures.checkLateMs = this.#checkLateness({ fromMs, toMs })
    figures.deliveryLateMs = expected.map((key) => this.#deliveryLateness(key))
    for (const sample of [...figures.list, ...figures.create, ...figures.livez]) {
      const { fromMs: startedMs, ms } = sample
      sample.flagged = this.#lag.overlaps({ fromMs: startedMs, toMs: startedMs + ms })
    }
    figures.ownLagMs = this.#lag.takeWorstMs()
    return figures
  }

  /** With the current key: each has its own rate limit. */
  send(request: Send): Promise<Sent> {
    const { keys } = this.#options
    const key = keys[this.#sends++ % keys.length] ?? ''
    assert.ok(this.#api, 'the product was not followed yet')
    return this.#api.send({
      ...request,
      path: `/api/v1${request.path}`,
      headers: { 'X-API-Key': key },
    })
  }

  /** As a browser of the victim would. */
  sendApp(request: Send): Promise<Sent> {
    assert.ok(this.#api, 'the product was not followed yet')
    const headers = { 'Sec-Fetch-Site': 'same-origin', ...request.headers }
    return this.#api.send({ ...request, path: `/app/api${request.path}`, headers })
  }

  async isAlive(timeoutMs: number): Promise<boolean> {
    return (await this.#internal?.send({ path: '/livez', timeoutMs }))?.status === 200
  }

  /** How long the product's main thread has waited for a processor since it started. */
  #waitedMs(): number {
    const [, waitedNs] = readFileSync(
      `/proc/${this.#service?.process.pid}/schedstat`,
      'utf8',
    ).split(' ')
    return Number(waitedNs) / 1e6
  }

  memoryMib(): number {
    const status = readFileSync(`/proc/${this.#service?.process.pid}/status`, 'utf8')
    return Number(/^VmRSS:\s+(\d+) kB/m.exec(status)?.[1] ?? 0) / 1024
  }

  async close(): Promise<void> {
    this.#lag.stop()
    this.#api?.close()
    this.#internal?.close()
    await Promise.all(this.#servers.map((server) => server.close()))
  }

  async #serve(server: Server): Promise<Listening> {
    const listening = await listen(server)
    this.#servers.push(listening)
    return listening
  }

  #noteHit(path: string): void {
    const hits = this.#hits.get(path)
    if (hits === undefined) this.#hits.set(path, [Date.now()])
    else hits.push(Date.now())
  }

  #noteEvent(body: string, arrivedMs: number): void {
    type Event = { type: string; timestamp: string; data: { monitor?: { id: string } } }
    const { type, timestamp, data } = JSON.parse(body) as Event
    const key = `${type} ${data.monitor?.id}`
    // A delivery that is sent twice counts from its first arrival.
    if (!this.#receivedEvents.has(key))
      this.#receivedEvents.set(key, { eventMs: Date.parse(timestamp), arrivedMs })
  }

  async #insist(request: Send): Promise<Sent> {
    const answer = await this.send(request)
    assert.equal(answer.status, 201, answer.text)
    return answer
  }

  async #readSlots(): Promise<void> {
    type Row = { id: string; dueAt: Date }
    const rows = await this.#options.db.run<Row>(
      `select m.id, s.next_due_at as "dueAt" from monitor_states s
         join monitors m on m.no = s.monitor_no where m.org_id = $1 and m.type = 'HTTP'`,
      [toUuid(this.#options.orgId)],
    )
    const due = new Map(rows.map(({ id, dueAt }) => [id, dueAt.getTime()]))
    this.#watched = this.#watched.map((watched) => {
      const slotMs = due.get(toUuid(watched.id))
      assert.ok(slotMs !== undefined, `${watched.id} has no slot`)
      return { ...watched, slotMs }
    })
  }

  /** For every slot in the interval. */
  #checkLateness({ fromMs, toMs }: Interval): number[] {
    return this.#watched.flatMap(({ path, slotMs }) => {
      const slots: number[] = []
      for (let slot = slotMs; slot < toMs; slot += INTERVAL_MS) if (slot >= fromMs) slots.push(slot)
      const hits = this.#hits.get(path) ?? []
      return slots.map((slot) => {
        const hit = hits.find((atMs) => atMs >= slot - CLOCK_SLACK_MS)
        return hit === undefined ? Number.POSITIVE_INFINITY : Math.max(0, hit - slot)
      })
    })
  }

  #deliveryLateness(key: string): number {
    const event = this.#receivedEvents.get(key)
    return event === undefined ? Number.POSITIVE_INFINITY : event.arrivedMs - event.eventMs
  }

  async #list(figures: Figures): Promise<void> {
    const sample = await this.#sample(figures, { path: '/monitors?limit=25' }, 200)
    if (sample !== undefined) figures.list.push(sample)
  }

  async #createAndDelete(figures: Figures, expected: string[]): Promise<void> {
    // A CRON monitor needs no checks: only the API and the deliveries are at work.
    const body = { name: 'Made while another organization attacks', type: 'CRON' }
    const request = { method: 'POST', path: '/monitors', body }
    const sample = await this.#sample(figures, request, 201)
    if (sample === undefined) return
    figures.create.push(sample)
    const { id } = JSON.parse(sample.text) as { id: string }
    expected.push(`monitor.created ${id}`)
    const gone = await this.#sample(figures, { method: 'DELETE', path: `/monitors/${id}` }, 200)
    if (gone !== undefined) expected.push(`monitor.deleted ${id}`)
  }

  async #requestLivez(figures: Figures): Promise<void> {
    const fromMs = performance.now()
    const answer = await this.#internal?.send({ path: '/livez' })
    if (answer?.status !== 200) figures.failures.push(`/livez: ${answer?.status} ${answer?.text}`)
    figures.livez.push({ fromMs, ms: performance.now() - fromMs, flagged: false })
  }

  /** Undefined if it failed, which is recorded. */
  async #sample(
    figures: Figures,
    request: Send,
    status: number,
  ): Promise<(Sample & { text: string }) | undefined> {
    const fromMs = performance.now()
    const answer = await this.send(request)
    const { text, ms } = answer
    if (answer.status !== status) {
      const { method = 'GET', path } = request
      const where = path.replace(/mon_\w+/, '{monitorId}')
      const said = answer.status >= 500 ? '' : text.replace(/req_\w+/, '{requestId}').slice(0, 200)
      figures.failures.push(`${method} ${where}: ${answer.status} ${said}`)
      return undefined
    }
    return { fromMs, ms, text, flagged: false }
  }
}

function emptyFigures(name: string): Figures {
  const none = { list: [], create: [], livez: [], failures: [] }
  return {
    name,
    ...none,
    checkLateMs: [],
    deliveryLateMs: [],
    ownLagMs: 0,
    waitedShare: 0,
    stealPercent: 0,
    grownMib: 0,
  }
}
