import assert from 'node:assert/strict'
import { createServer, type IncomingHttpHeaders } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, test } from 'node:test'
import { ForwardError, offersChanges, openForward, resultOf } from './forward.ts'

const RESULT = JSON.stringify({ jsonrpc: '2.0', id: 1, result: { tools: [] } })

test('resultOf: the result of a response', () => {
  assert.deepEqual(resultOf(200, RESULT), { tools: [] })
})

// biome-ignore format: a table is read by its columns
const failures: [status: number, text: string, message: RegExp, code: number][] = [
  [200, '{"jsonrpc":"2.0","id":1,"error":{"code":-32602,"message":"Tool x not found"}}', /^Tool x not found$/, -32602],
  [401, '{"error":{"code":"unauthorized","message":"…"}}',                               /refused the API key/, -32603],
  [404, '<html>',                                                                        /no \/mcp/,            -32603],
  [429, '{"error":{"code":"rate_limited","message":"Retry in 9 s."}}',                   /^Retry in 9 s\.$/,    -32603],
  [502, '<html>bad gateway</html>',                                                      /HTTP 502/,            -32603],
  [200, 'null',                                                                          /HTTP 200/,            -32603],
  [200, '',                                                                              /HTTP 200/,            -32603],
]
for (const [status, text, message, code] of failures)
  test(`resultOf: ${status} ${text.slice(0, 40)}`, () => {
    assert.throws(
      () => resultOf(status, text),
      (error) =>
        error instanceof ForwardError && message.test(error.message) && error.code === code,
    )
  })

const seen: { headers: IncomingHttpHeaders; body: string }[] = []
const server = createServer((request, response) => {
  let body = ''
  request.on('data', (chunk: Buffer) => {
    body += chunk.toString()
  })
  request.on('end', () => {
    seen.push({ headers: request.headers, body })
    response.end(RESULT)
  })
})
await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
after(() => void server.close())

test('openForward: says once that the key offers no changes, if the user wants them', async () => {
  const warnings: string[] = []
  const connect = async () => ({ url, key: 'key' })
  const warn = (text: string) => void warnings.push(text)
  const forward = openForward({ connect, canWrite: true, warn })
  for (let i = 0; i < 3; i++) await forward('tools/list', {})
  assert.equal(warnings.length, 1)
  assert.match(warnings[0] ?? '', /Mark a full key in the dashboard/)
  await openForward({ connect, canWrite: false, warn })('tools/list', {})
  assert.equal(warnings.length, 1)
  seen.length = 0
})

// biome-ignore format: a table is read by its columns
const lists: [what: string, result: unknown, offers: boolean][] = [
  ['only tools that read',   { tools: [{ annotations: { readOnlyHint: true } }] },                                   false],
  ['one that changes',       { tools: [{ annotations: { readOnlyHint: true } }, { annotations: { readOnlyHint: false } }] }, true],
  ['one that does not say',  { tools: [{}] },                                                                        true],
  ['no list',                null,                                                                                   true],
]
for (const [what, result, offers] of lists)
  test(`offersChanges: ${what}`, () => assert.equal(offersChanges(result), offers))

test('openForward: reads the key for each call, and says whether the user allowed changes', async () => {
  let reads = 0
  const warn = () => assert.fail('nothing to warn about')
  const connect = async () => ({ url, key: `key-${++reads}` })
  await openForward({ connect, canWrite: false, warn })('tools/list', {})
  await openForward({ connect, canWrite: true, warn })('tools/call', { name: 'overview' })
  assert.deepEqual(
    seen.map(({ headers }) => [headers['x-api-key'], headers['x-upvane-mcp-write']]),
    [
      ['key-1', 'deny'],
      ['key-2', 'allow'],
    ],
  )
  assert.deepEqual(JSON.parse(seen[1]?.body ?? ''), {
    jsonrpc: '2.0',
    id: 1,
    method: 'tools/call',
    params: { name: 'overview' },
  })
})

test('openForward: a service that is not there is an error of the protocol', async () => {
  const connect = async () => ({ url: 'http://127.0.0.1:1', key: 'key' })
  await assert.rejects(
    openForward({ connect, canWrite: false, warn: () => {} })('tools/list', {}),
    ForwardError,
  )
})
