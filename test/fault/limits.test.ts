// Limits hold exactly, across any number of processes.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type Service, type Stack, startStack } from '../../tools/stack.ts'
import { Client, type Reply } from '../db-kit/client.ts'
import { runCommand } from './run-command.ts'

const REQUESTS = 400
const LIMIT = 120
const FREE_MONITORS = 20
const CREATES = 50

let stack: Stack
let services: Service[]
before(async () => {
  stack = await startStack({ nats: true, env: { LOG_LEVEL: 'error' } })
  services = await Promise.all([stack.start('api'), stack.start('api')])
})
after(() => stack.stop())

test(`rate limit: of ${REQUESTS} requests at once on two processes exactly ${LIMIT} pass`, async () => {
  const clients = clientsOf(stack.keys.full)
  const replies = await Promise.all(
    Array.from({ length: REQUESTS }, (_, index) =>
      clients[index % clients.length]?.send({ path: '/api/v1/monitors?limit=1' }),
    ),
  )
  assert.deepEqual(tally(replies), { 200: LIMIT, 429: REQUESTS - LIMIT })
  const passed = replies.filter((reply) => reply?.status === 200)
  const remaining = passed.map((reply) => Number(reply?.headers['ratelimit-remaining']))
  assert.deepEqual(
    remaining.toSorted((x, y) => x - y),
    Array.from({ length: LIMIT }, (_, index) => index),
    'each request was counted once',
  )
  closeAll(clients)
})

test('rate limit: another key of the organization has a window of its own', async () => {
  const clients = clientsOf(stack.keys.readOnly)
  for (const client of clients)
    assert.equal((await client.send({ path: '/api/v1/monitors' })).status, 200)
  closeAll(clients)
})

test('a revoked key fails with the very next request on every process', async () => {
  const keys = await runCommand<{ id: string; name: string }[]>(
    stack,
    'key',
    'list',
    '--org',
    stack.organizationId,
  )
  const id = keys.find(({ name }) => name === 'Full access, second')?.id ?? ''
  const clients = clientsOf(stack.keys.full2)
  const ask = { path: '/api/v1/monitors' }
  // Warmed up on both, so that a cache would have had its chance.
  for (const client of clients)
    for (let i = 0; i < 5; i++) assert.equal((await client.send(ask)).status, 200)

  await runCommand(stack, 'key', 'revoke', '--id', id)

  for (const client of clients) assert.equal((await client.send(ask)).status, 401)
  closeAll(clients)
})

test(`plan limit: of ${CREATES} creates at once with one left exactly one succeeds`, async () => {
  const clients = clientsOf(stack.keys.freePlan)
  const create = (index: number) =>
    clients[index % clients.length]?.send({
      method: 'POST',
      path: '/api/v1/monitors',
      body: { name: `Monitor ${index}`, type: 'CRON' },
    })
  for (let i = 0; i < FREE_MONITORS - 1; i++) assert.equal((await create(i))?.status, 201)

  const replies = await Promise.all(Array.from({ length: CREATES }, (_, index) => create(index)))
  assert.deepEqual(tally(replies), { 201: 1, 422: CREATES - 1 })
  for (const reply of replies.filter((one) => one?.status === 422))
    assert.equal(reply?.json<{ error: { code: string } }>().error.code, 'plan_limit')
  const list = await clients[0]?.send({ path: '/api/v1/monitors?limit=100' })
  const { data, pagination } = list?.json<{ data: []; pagination: { total: number } }>() ?? {}
  assert.deepEqual([data?.length, pagination?.total], [FREE_MONITORS, FREE_MONITORS])
  closeAll(clients)
})

function clientsOf(key: string): Client[] {
  return services.map(({ baseUrl }) => new Client(baseUrl, key))
}

function closeAll(clients: Client[]): void {
  for (const client of clients) client.close()
}

function tally(replies: (Reply | undefined)[]): Record<number, number> {
  const counts: Record<number, number> = {}
  for (const reply of replies) {
    const status = reply?.status ?? 0
    counts[status] = (counts[status] ?? 0) + 1
  }
  return counts
}
