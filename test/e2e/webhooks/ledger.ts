// A receiver that stores only what is needed to verify it, and simulated people who record what they changed.
import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import { setTimeout as delay } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import type { Client } from '../../kit/client.ts'
import type { ApiResponse } from '../../kit/response.ts'
import { listen } from '../../kit/targets/listen.ts'

export const digest = (body: string) => createHash('sha256').update(body).digest('base64')

type Received = { digest: string; requests: number }
export type Receiver = {
  url: string
  /** By `webhook-id`. */
  events: Map<string, Received>
  faults: string[]
  close(): Promise<void>
}

/** Verifies every request once it knows the secret; `reply` decides the nth response. */
export async function startReceiver(
  reply: (number: number) => { status: number; delayMs: number },
): Promise<Receiver & { trust(secret: string): void }> {
  const events = new Map<string, Received>()
  const faults: string[] = []
  let webhook: Webhook | undefined
  let number = 0
  const server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request as AsyncIterable<Buffer>) chunks.push(chunk)
    const body = Buffer.concat(chunks).toString()
    const id = String(request.headers['webhook-id'])
    const known = events.get(id) ?? { digest: digest(body), requests: 0 }
    if (known.digest !== digest(body)) faults.push(`${id} came with other bytes`)
    events.set(id, { ...known, requests: known.requests + 1 })
    try {
      webhook?.verify(body, request.headers as Record<string, string>)
    } catch (error) {
      faults.push(`${id}: ${error}`)
    }
    const { status, delayMs } = reply(++number)
    await delay(delayMs)
    response.writeHead(status).end()
  })
  const { port, close } = await listen(server)
  const trust = (secret: string) => void (webhook = new Webhook(secret))
  return { url: `http://127.0.0.1:${port}/`, events, faults, trust, close }
}

type Change = { type: string; name: string }
/** What was certainly committed, by monitor, in order. */
export type Ledger = Map<string, Change[]>

const AGAIN_MS = 100
const GIVE_UP_MS = 600_000

/**
 * Changes one monitor after the other until stopped. A request without a response is repeated under its idempotency
 * key.
 */
export async function changeThings(
  api: Client,
  ledger: Ledger,
  isOver: () => boolean,
  restMs: number,
): Promise<void> {
  for (let monitors = 0; !isOver(); monitors++) {
    const name = `Changed ${randomUUID()}`
    const answer = await insist(api, 'POST', '/monitors', { name, type: 'CRON' })
    const { id } = answer.json as { id: string }
    const changes: Change[] = [{ type: 'monitor.created', name }]
    ledger.set(id, changes)
    const path = `/monitors/${id}`
    const renamed = `Renamed ${randomUUID()}`
    const steps: [type: string, method: string, path: string, body: unknown][] = [
      ['monitor.updated', 'PATCH', path, { name: renamed }],
      ['monitor.paused', 'POST', `${path}/pause`, {}],
      ['monitor.resumed', 'POST', `${path}/resume`, {}],
      ['monitor.deleted', 'DELETE', path, undefined],
    ]
    for (const [type, method, to, body] of steps) {
      await delay(Math.random() * restMs)
      await insist(api, method, to, body)
      changes.push({ type, name: renamed })
    }
  }
}

/** Repeats until it succeeds; a process may be killed meanwhile. */
async function insist(
  api: Client,
  method: string,
  path: string,
  body: unknown,
): Promise<ApiResponse> {
  const headers = { 'Idempotency-Key': randomUUID() }
  const endMs = performance.now() + GIVE_UP_MS
  while (performance.now() < endMs) {
    const answer = await api
      .request(method, path, { headers, ...(body !== undefined && { body }) })
      .catch((error: unknown) => {
        if (error instanceof assert.AssertionError) throw error
      })
    if (answer !== undefined && answer.status < 300) return answer
    if (answer !== undefined) assert.equal(answer.status, 409, answer.text)
    await delay(AGAIN_MS)
  }
  return assert.fail(`${method} ${path} was never answered`)
}

/** Checks monitors in turn. The responses do not matter: the rows show what was committed. */
export async function checkThings(
  baseUrl: string,
  key: string,
  ids: readonly string[],
  isOver: () => boolean,
): Promise<void> {
  for (let i = 0; !isOver(); i++) {
    const path = `/api/v1/monitors/${ids[i % ids.length]}/check`
    const headers = { 'X-API-Key': key, 'Content-Type': 'application/json' }
    await fetch(baseUrl + path, { method: 'POST', body: '{}', headers }).then(
      (response) => response.text(),
      () => undefined,
    )
    await delay(AGAIN_MS)
  }
}
