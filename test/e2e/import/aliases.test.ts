// Pings under tokens of another tool: /hb/alias/{id}/{token}.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { isApiError, Upvane } from '@upvane/sdk'
import { runUpv } from '../../../cli/test/run-upv.ts'
import { startProduct } from '../../kit/fixture.ts'
import { toUuid } from '../../kit/ids.ts'

const PATH = '/api/ext/v1/ping-aliases'
const UUID = '5f2b1a6e-0c1d-4e2f-8a3b-4c5d6e7f8091'

const product = await startProduct()
after(() => product.stop())
const { baseUrl } = product.service
const upvane = new Upvane({ baseUrl, apiKey: product.keys.full })

let monitors = 0
function createCron(client = upvane) {
  monitors += 1
  return client.monitors.create({ name: `Job ${monitors}`, type: 'CRON', expectedPeriodSec: 3600 })
}

type Aliases = { prefix: string; total: number }
const add = (aliases: { monitorId: string; token: string }[], client = upvane) =>
  client.request<Aliases>('POST', PATH, { body: { aliases } })

const ping = async (url: string, init: RequestInit = {}): Promise<number> => {
  const response = await fetch(url, init)
  await response.text()
  return response.status
}

type Call = { signal: string; body: string | null }
const callsOf = (id: string): Promise<Call[]> =>
  product.db.run<Call>(
    `select signal, body from heartbeat_calls
      where monitor_no = (select no from monitors where id = $1) order by at`,
    [toUuid(id)],
  )

const FORMS: readonly [path: string, signal: string][] = [
  ['', 'SUCCESS'],
  ['/', 'SUCCESS'],
  ['/start', 'START'],
  ['/fail', 'FAIL'],
  ['/log', 'LOG'],
  ['/0', 'SUCCESS'],
  ['/7', 'FAIL'],
  ['?status=up&msg=OK&ping=12', 'SUCCESS'],
  ['?status=down&msg=No+space', 'FAIL'],
  ['?status=down', 'FAIL'],
]

for (const token of ['eYaNuTzjHT', UUID, 'pingKey_1234/nightly-backup'])
  test(`every form under ${token}`, async () => {
    const { id } = await createCron()
    const { prefix } = await add([{ monitorId: id, token }])
    assert.match(prefix, new RegExp(`^${baseUrl}/hb/alias/[A-Za-z0-9_-]{24}$`))
    for (const [form] of FORMS) assert.equal(await ping(`${prefix}/${token}${form}`), 200, form)
    const calls = await callsOf(id)
    assert.deepEqual(
      calls.map(({ signal }) => signal),
      FORMS.map(([, signal]) => signal),
    )
    assert.deepEqual(calls.at(-2), { signal: 'FAIL', body: 'No space' })
    assert.equal((await upvane.monitors.get(id)).state, 'DOWN')
    assert.equal(await ping(`${prefix}/${token}`, { method: 'POST', body: 'done' }), 200)
    assert.equal((await upvane.monitors.get(id)).state, 'UP')
    assert.equal((await callsOf(id)).at(-1)?.body, 'done')
  })

test('the new URL continues to work beside the alias', async () => {
  const { id, heartbeatUrl } = await createCron()
  const { prefix } = await add([{ monitorId: id, token: 'both-ways-1' }])
  assert.equal(await ping(`${heartbeatUrl}/fail`), 200)
  assert.equal(await ping(`${prefix}/both-ways-1`), 200)
  assert.equal((await upvane.monitors.get(id)).state, 'UP')
})

test('unknown tokens, ids and methods', async () => {
  const { id } = await createCron()
  const { prefix } = await add([{ monitorId: id, token: 'known-token' }])
  const elsewhere = `${prefix.slice(0, -24)}${'A'.repeat(24)}`
  for (const url of [
    `${prefix}/unknown-token`,
    `${prefix}/known-token/nonsense`,
    `${prefix}/known-token/start/more`,
    `${prefix}/`,
    prefix,
    `${elsewhere}/known-token`,
    `${baseUrl}/hb/alias`,
    `${baseUrl}/hb/known-token`,
  ])
    assert.equal(await ping(url), 404, url)
  assert.equal(await ping(`${prefix}/known-token`, { method: 'PUT' }), 405)
  assert.deepEqual(await callsOf(id), [])
})

test('two organizations have the same token', async () => {
  const other = await product.createOrganization()
  const client = new Upvane({ baseUrl, apiKey: other.key })
  const [mine, theirs] = [await createCron(), await createCron(client)]
  const [a, b] = [
    await add([{ monitorId: mine.id, token: 'same-token' }]),
    await add([{ monitorId: theirs.id, token: 'same-token' }], client),
  ]
  assert.notEqual(a.prefix, b.prefix)
  assert.equal(await ping(`${b.prefix}/same-token/fail`), 200)
  assert.deepEqual(
    [(await upvane.monitors.get(mine.id)).state, (await client.monitors.get(theirs.id)).state],
    ['PENDING', 'DOWN'],
  )
})

test('only a hash is stored, and the id is encrypted', async () => {
  const { id } = await createCron()
  const { prefix } = await add([{ monitorId: id, token: 'stored-token' }])
  const orgId = prefix.slice(-24)
  const hash = createHash('sha256').update(`${orgId}/stored-token`).digest('hex')
  const rows = await product.db.run<{ row: string }>(
    `select row_to_json(a)::text as row from ping_aliases a where monitor_id = $1
     union all select row_to_json(i)::text from ping_alias_ids i`,
    [toUuid(id)],
  )
  const text = rows.map(({ row }) => row).join('\n')
  assert.ok(text.includes(hash))
  assert.ok(!text.includes('stored-token') && !text.includes(orgId))
  assert.ok(!text.includes(Buffer.from(orgId).toString('hex')))
})

test('the same call twice, and a token that moves to another monitor', async () => {
  const [first, second] = [await createCron(), await createCron()]
  const { total } = await add([{ monitorId: first.id, token: 'moving-token' }])
  assert.equal((await add([{ monitorId: first.id, token: 'moving-token' }])).total, total)
  const { prefix, total: after } = await add([{ monitorId: second.id, token: 'moving-token' }])
  assert.equal(after, total)
  assert.equal(await ping(`${prefix}/moving-token`), 200)
  assert.deepEqual([(await callsOf(first.id)).length, (await callsOf(second.id)).length], [0, 1])
})

test('an alias ends with its monitor, and can be removed', async () => {
  const [deleted, kept] = [await createCron(), await createCron()]
  const { prefix } = await add([
    { monitorId: deleted.id, token: 'deleted-token' },
    { monitorId: kept.id, token: 'removed-token' },
  ])
  await upvane.monitors.delete(deleted.id)
  assert.equal(await ping(`${prefix}/deleted-token`), 404)
  const rows = await product.db.run('select 1 from ping_aliases where monitor_id = $1', [
    toUuid(deleted.id),
  ])
  assert.equal(rows.length, 0)
  await upvane.request('DELETE', `/api/ext/v1/monitors/${kept.id}/ping-aliases`)
  assert.equal(await ping(`${prefix}/removed-token`), 404)
  assert.equal(await ping(`${kept.heartbeatUrl}`), 200)
})

test('what is refused', async () => {
  const { id } = await createCron()
  const http = await upvane.monitors.create({
    name: 'Web',
    type: 'HTTP',
    url: 'https://a.example.com/',
  })
  const other = await product.createOrganization()
  const foreign = await createCron(new Upvane({ baseUrl, apiKey: other.key }))
  const fails = (code: string, aliases: { monitorId: string; token: string }[]) =>
    assert.rejects(add(aliases), (error) => isApiError(error, code), JSON.stringify(aliases[0]))
  await fails('conflict', [{ monitorId: http.id, token: 'abc-abc-abc' }])
  await fails('conflict', [{ monitorId: foreign.id, token: 'abc-abc-abc' }])
  await fails('not_found', [{ monitorId: 'nonsense', token: 'abc-abc-abc' }])
  for (const token of [
    '',
    'a',
    'nine-char',
    'with a space',
    'parts/of/three',
    'pingkey/start',
    '../../../x',
    'x'.repeat(166),
    'ä',
  ])
    await fails('validation_error', [{ monitorId: id, token }])
  await fails('validation_error', [
    { monitorId: id, token: 'twice-twice' },
    { monitorId: id, token: 'twice-twice' },
  ])
  const many = (count: number) =>
    Array.from({ length: count }, (_, n) => ({ monitorId: id, token: `many-tokens-${n}` }))
  await fails('validation_error', many(101))
  await fails('conflict', many(6))
  await add(many(5))
})

test('a read-only key cannot add aliases, and does not see their address', async () => {
  const { id } = await createCron()
  const reader = new Upvane({ baseUrl, apiKey: product.keys.readOnly })
  await assert.rejects(add([{ monitorId: id, token: 'abc-abc-abc' }], reader), (error) =>
    isApiError(error, 'forbidden'),
  )
  assert.equal((await reader.request<{ prefix: null }>('GET', PATH)).prefix, null)
})

test('it is in the audit log, without the token', async () => {
  const { id } = await createCron()
  await add([{ monitorId: id, token: 'audited-token' }])
  const rows = await product.db.run<{ entry: string }>(
    `select row_to_json(a)::text as entry from audit_log a where action = 'addPingAliases'`,
  )
  assert.ok(rows.length > 0)
  assert.ok(rows.every(({ entry }) => !entry.includes('audited-token')))
})

test('a tight loop gets its answers, and only the first pings of a minute are recorded', async () => {
  const { id } = await createCron()
  const { prefix } = await add([{ monitorId: id, token: 'loop-token' }])
  const answers = await Promise.all(Array.from({ length: 100 }, () => ping(`${prefix}/loop-token`)))
  assert.deepEqual(new Set(answers), new Set([200]))
  const { length } = await callsOf(id)
  // A minute may end in between.
  assert.ok(length >= 30 && length <= 61, String(length))
})

test('upv import aliases', async (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'upv-aliases-'))
  t.after(() => rmSync(folder, { recursive: true }))
  const path = join(folder, 'list.csv')
  const job = await createCron()
  const line = (name: string, token: string) =>
    `"backup","${name}","${token}","/api/push/${token}",,\r\n`
  const head = 'monitor,name,token,oldUrl,newUrl,aliasUrl\r\n'
  writeFileSync(path, head + line(job.name, 'old-cli-token') + line('Unknown', 'other'))
  const env = { UPVANE_URL: baseUrl, UPVANE_API_KEY: product.keys.full }
  const { code, stdout, stderr } = await runUpv(['import', 'aliases', '--heartbeats', path], env)
  assert.equal(code, 1, 'one of them has no monitor')
  assert.match(stderr, /Unknown/)
  assert.match(stderr, /less than 10 characters get no alias.*: Unknown\./)
  const [, prefix = ''] = /below (\S+)\/$/m.exec(stdout) ?? []
  assert.equal(await ping(`${prefix}/old-cli-token`), 200)
  const list = readFileSync(path, 'utf8')
  assert.ok(list.includes(`"${job.heartbeatUrl}"`) && list.includes(`"${prefix}/old-cli-token"`))
})
