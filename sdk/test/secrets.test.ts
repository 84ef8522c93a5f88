// Whatever fails, the API key and what was sent appear nowhere but in the request.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inspect } from 'node:util'
import { OPERATIONS } from '../src/api/operations.ts'
import { EXT_OPERATIONS } from '../src/ext/operations.ts'
import { type AttemptInfo, type List, Upvane, type UpvaneOptions } from '../src/index.ts'
import { cutOff, type Handle, KEY, send, sendError, startServer } from './server.ts'

const PLANTED = 'planted-secret-of-a-request'
const BODY = {
  name: 'Shop',
  type: 'HTTP',
  requestHeaders: { Authorization: PLANTED },
  requestBody: PLANTED,
  password: PLANTED,
}

/** Everything of a value that a log line or a debugger could show. */
function show(value: unknown): string {
  const shown = inspect(value, { depth: null, showHidden: true, getters: true })
  const own = value instanceof Error ? `${value.stack} ${String(value.cause)}` : ''
  return [shown, own, JSON.stringify(value), String(value)].join('\n')
}

const echo: Handle = ({ headers, body }, response) =>
  send(response, { status: 400, body: `${headers.authorization} ${body.length}` })
const inEnvelope: Handle = ({ headers }, response) =>
  send(response, {
    status: 403,
    body: { error: { code: 'forbidden', message: String(headers.authorization) } },
  })
const servers: [what: string, handle: Handle][] = [
  ['succeeds', (_, response) => send(response, { body: { id: 'x', data: [], pagination: {} } })],
  ['refuses', (_, response) => sendError(response, 422, 'plan_limit')],
  ['cuts off', (_, response) => cutOff(response)],
  ['echoes the key in an error', inEnvelope],
  ['echoes the key in a text', echo],
]

type Method = (...given: unknown[]) => Promise<unknown> | List<{ id: string }>

for (const [what, handle] of servers)
  test(`a server that ${what}: no secret in hooks and errors of every operation`, async (t) => {
    const { client } = await startServer(t, handle)
    const seen: unknown[] = []
    const note = (info: AttemptInfo) => void seen.push(info)
    const upvane = client({ maxRetries: 0, onRequest: note, onResponse: note })
    let count = 0
    const apis: [clients: object, table: object][] = [
      [upvane, OPERATIONS],
      [upvane.ext, EXT_OPERATIONS],
    ]
    const all = apis.flatMap(([clients, table]) =>
      Object.entries(table).map(([resource, rows]) => ({
        methods: (clients as Record<string, Record<string, Method>>)[resource],
        rows: Object.entries<string>(rows),
      })),
    )
    for (const { methods, rows } of all)
      for (const [name, row] of rows) {
        count++
        const ids = row
          .split('{id}')
          .slice(1)
          .map(() => 'x')
        // A query is part of the URL, which hooks show.
        const isQuery = row.startsWith('list') || row.endsWith(' query')
        const called = methods?.[name]?.(...ids, ...(isQuery ? [] : [BODY]))
        const call: Promise<unknown> | undefined =
          called && 'page' in called ? called.page() : called
        await call?.then(
          () => undefined,
          (error: unknown) => seen.push(error),
        )
      }
    assert.equal(count, 37 + 50)
    assert.ok(seen.length >= 2 * count)
    for (const each of [upvane, upvane.monitors, upvane.monitors.list(), ...seen]) {
      const text = show(each)
      assert.ok(!text.includes(KEY), text)
      assert.ok(!text.includes(PLANTED), text)
    }
  })

const wrong: [what: string, options: Partial<UpvaneOptions>][] = [
  ['a key with a line break', { apiKey: `${KEY}\n` }],
  ['a key with a blank', { apiKey: ` ${KEY}` }],
  ['a key with letters that headers do not allow', { apiKey: `${KEY}\u2026` }],
  ['an address with a password', { baseUrl: `https://user:${KEY}@upvane.example.com` }],
  ['an address that is none', { baseUrl: KEY }],
  ['an address of another kind', { baseUrl: `file:///${KEY}` }],
]
for (const [what, options] of wrong)
  test(`${what} is refused without showing it`, () => {
    const given = { apiKey: KEY, baseUrl: 'https://upvane.example.com', ...options }
    assert.throws(
      () => new Upvane(given),
      (error) => error instanceof TypeError && !show(error).includes(KEY),
    )
  })

test('a key that a function returns is checked too, and not shown', async (t) => {
  const { client, exchanges } = await startServer(t, (_, response) => send(response, {}))
  const call = client({ apiKey: () => `${KEY}\r\n` }).monitors.get('mon_1')
  const error = await call.catch((reason: unknown) => reason)
  assert.ok(error instanceof TypeError)
  assert.ok(!show(error).includes(KEY))
  assert.equal(exchanges.length, 0)
})

test('a browser is refused, unless the program brings its own fetch', (t) => {
  Object.assign(globalThis, { document: {} })
  t.after(() => Reflect.deleteProperty(globalThis, 'document'))
  const options = { apiKey: KEY, baseUrl: 'https://upvane.example.com' }
  assert.throws(() => new Upvane(options), /does not belong in a browser/)
  assert.ok(new Upvane({ ...options, fetch: async () => new Response() }))
})
