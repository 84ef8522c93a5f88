// The baseline: the same requests at the same slots with only node:http or node:https, each on a new connection. No
// schedule in a database, no bus, no evaluation, no stored results. Started by engine-kit.ts.
import { get as getHttp, type RequestOptions } from 'node:http'
import { get as getHttps } from 'node:https'
import { setTimeout as delay } from 'node:timers/promises'
import { createSecureContext } from 'node:tls'

export type BareJob = {
  scheme: 'http' | 'https'
  port: number
  intervalMs: number
  durationMs: number
  targets: { host: string; phaseMs: number }[]
}
export type BareOutcome = { started: number; done: number; failed: number }

// Requests without a response by then count as failed.
const ARRIVAL_MS = 10_000
const secureContext = createSecureContext({ ca: [] })

process.on('message', (job: BareJob) => {
  void run(job).then((outcome) => process.send?.(outcome))
})
process.on('disconnect', () => process.exit(0))

async function run(job: BareJob): Promise<BareOutcome> {
  const outcome = { started: 0, done: 0, failed: 0 }
  const slots = plan(job)
  const { promise, resolve } = Promise.withResolvers<void>()
  let next = 0
  const settle = (kind: 'done' | 'failed') => {
    outcome[kind] += 1
    if (outcome.done + outcome.failed === slots.length) resolve()
  }
  const fire = () => {
    const nowMs = Date.now()
    for (let slot = slots[next]; slot !== undefined && slot.atMs <= nowMs; slot = slots[++next]) {
      outcome.started += 1
      sendRequest(job, slot, settle)
    }
    if (next < slots.length) setTimeout(fire, 1)
  }
  fire()
  await Promise.race([promise, delay(job.durationMs + ARRIVAL_MS, undefined, { ref: false })])
  return { ...outcome, failed: slots.length - outcome.done }
}

/** Every slot of the period, soonest first. */
function plan({ targets, intervalMs, durationMs }: BareJob) {
  const fromMs = Date.now() + 200
  return targets
    .flatMap(({ host, phaseMs }) => {
      const firstMs = phaseMs + Math.ceil((fromMs - phaseMs) / intervalMs) * intervalMs
      const count = Math.max(0, Math.ceil((fromMs + durationMs - firstMs) / intervalMs))
      return Array.from({ length: count }, (_, i) => ({
        host,
        phaseMs,
        atMs: firstMs + i * intervalMs,
      }))
    })
    .toSorted((a, b) => a.atMs - b.atMs)
}

function sendRequest(
  { scheme, port, intervalMs }: BareJob,
  { host, phaseMs }: { host: string; phaseMs: number },
  settle: (kind: 'done' | 'failed') => void,
): void {
  const path = `/at/${phaseMs}/${intervalMs}`
  const plain: RequestOptions = { host, port, path, agent: false }
  const options = { ...plain, secureContext, rejectUnauthorized: false }
  const request = (scheme === 'http' ? getHttp(plain) : getHttps(options)).on('response', (r) => {
    r.resume().once('end', () => settle(r.statusCode === 200 ? 'done' : 'failed'))
  })
  request.once('error', () => settle('failed'))
}
