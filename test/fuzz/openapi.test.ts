// Requests generated from the API description, half of them valid and half not, judged one by one. FUZZ_SEED repeats a
// run, FUZZ_REQUESTS sets its size, FUZZ_WORKERS=1 its exact order.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { after, before, test } from 'node:test'
import fc from 'fast-check'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { Client, type Reply } from '../db-kit/client.ts'
import { readOperations } from '../db-kit/openapi-document.ts'
import { judge } from './judge.ts'
import { KEYS, nullPlans, type Plan, planOf, strayPlan } from './plan.ts'
import { World } from './world.ts'

const seed = Number(process.env['FUZZ_SEED'] ?? randomInt(2 ** 31))
const requests = Number(process.env['FUZZ_REQUESTS'] ?? 5000)
const workers = Number(process.env['FUZZ_WORKERS'] ?? 4)
const FEWEST_PER_OPERATION = 100
const SHOWN_FAULTS = 20
const INVENTED_KEY = `upv_${'0'.repeat(38)}`
const STRAY = 'no operation'
// A check contacts whatever the monitor names, and here monitors name anything. So the API runs without probes, and
// operations that need one are left to the suites that run inside a network namespace.
const NEEDS_PROBE = new Set(['checkMonitor'])
const operations = readOperations().filter(({ id }) => !NEEDS_PROBE.has(id))

let stack: Stack
let service: Service
before(async () => {
  stack = await startStack({
    nats: true,
    rateLimit: 1e8,
    env: { UNAUTHENTICATED_LIMIT_PER_MINUTE: '0', LOG_LEVEL: 'error' },
  })
  service = await stack.start('api')
})
after(() => stack.stop())

test(`every answer keeps the contract: ${requests} requests, seed ${seed}`, async (t) => {
  const world = await World.open(stack, service.baseUrl)
  const client = new Client(service.baseUrl)
  const counts = new Map<string, Map<number, number>>()
  const faults: string[] = []
  const nulls = operations.flatMap(nullPlans)
  const queue = [...nulls, ...plans()].values()
  const startedAt = performance.now()

  await Promise.all(
    Array.from({ length: workers }, async () => {
      for (const plan of queue) faults.push(...(await play(plan, { world, client, counts })))
    }),
  )

  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1)
  t.diagnostic(`FUZZ_SEED=${seed} FUZZ_REQUESTS=${requests}: ${seconds} s, ${faults.length} faults`)
  t.diagnostic(`${nulls.length} more with null in every place of every body`)
  for (const [name, statuses] of counts) t.diagnostic(`${name.padEnd(20)} ${tally(statuses)}`)
  client.close()
  await world.close()
  assert.deepEqual(faults.slice(0, SHOWN_FAULTS), [], `${faults.length} faults, seed ${seed}`)
  for (const { id } of operations)
    assert.ok(totalOf(counts.get(id)) >= FEWEST_PER_OPERATION, `too few requests for ${id}`)
})

/** Every operation gets its share, in rotation. */
function plans(): Plan[] {
  const share = Math.ceil(requests / (operations.length + 0.5))
  const lists = operations.map((operation, index) =>
    fc.sample(planOf(operation), { seed: seed + index, numRuns: share }),
  )
  const strays = Math.max(0, requests - share * operations.length)
  const [first] = operations
  if (first === undefined) throw new Error('The document has no operation')
  lists.push(strays > 0 ? fc.sample(strayPlan(first), { seed: seed - 1, numRuns: strays }) : [])
  return Array.from({ length: share }, (_, turn) =>
    lists.flatMap((list) => list[turn] ?? []),
  ).flat()
}

type Game = { world: World; client: Client; counts: Map<string, Map<number, number>> }

async function play(plan: Plan, { world, client, counts }: Game): Promise<string[]> {
  const path = [world.pathOf(plan), plan.query].filter((part) => part !== '').join('?')
  const { operation, method, contentType, body } = plan
  const headers = {
    ...plan.headers,
    ...keyHeaders(plan),
    ...(contentType !== undefined && { 'content-type': contentType }),
  }
  const ask = { method, path, headers, ...(body !== undefined && { body }) }
  const stray = plan.path !== undefined
  let found: string[]
  try {
    const reply = await client.send(ask)
    count(counts, stray ? STRAY : operation.id, reply.status)
    found = judge({ operation, method, path, stray, body: parsed(body) }, reply)
    await world.learn(plan, path, reply)
    if (found.length > 0) found.push(excerpt(reply))
  } catch (error) {
    found = [`no answer: ${error}`]
  }
  const request = `${method} ${path.slice(0, 300)} ${JSON.stringify(headers).slice(0, 400)} ${String(body).slice(0, 600)}`
  return found.length === 0 ? [] : [`${operation.id}: ${found.join(' | ')}\n    ${request}`]
}

function keyHeaders({ key, bearer }: Plan): Record<string, string> {
  const known = KEYS.find((name) => name === key)
  const text = known ? stack.keys[known] : INVENTED_KEY
  if (key === 'none') return {}
  if (key === 'both')
    return { 'x-api-key': stack.keys.full, authorization: `Bearer ${stack.keys.full}` }
  return bearer ? { authorization: `Bearer ${text}` } : { 'x-api-key': text }
}

/** Undefined if it is not JSON: no schema applies then. */
function parsed(body: string | Buffer | undefined): unknown {
  try {
    return JSON.parse(String(body))
  } catch {
    return undefined
  }
}

const excerpt = ({ status, text }: Reply) => `${status} ${text.slice(0, 300)}`

function count(counts: Game['counts'], name: string, status: number): void {
  const statuses = counts.get(name) ?? new Map<number, number>()
  statuses.set(status, (statuses.get(status) ?? 0) + 1)
  counts.set(name, statuses)
}

const totalOf = (statuses: Map<number, number> | undefined) =>
  [...(statuses?.values() ?? [])].reduce((sum, one) => sum + one, 0)

function tally(statuses: Map<number, number>): string {
  const parts = [...statuses].toSorted(([a], [b]) => a - b).map(([status, n]) => `${status}:${n}`)
  return `${String(totalOf(statuses)).padStart(5)}  ${parts.join(' ')}`
}
