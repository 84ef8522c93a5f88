// Clients of both generations of the protocol, over both transports: which tools they get, and what a change does.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../../kit/fixture.ts'
import { toUuid } from '../../kit/ids.ts'
import { type Assistant, GENERATIONS, type Generation, overHttp, overStdio } from './assistants.ts'

const fixture = await startProduct()
const { api, db, keys, orgId, service } = fixture
const { baseUrl } = service
after(() => fixture.stop())

const marked = await fixture.createKey(orgId, { name: 'Assistant' })
await db.run(`update api_keys set mcp_writes = true where name = 'Assistant'`)

type Way = { name: string; read: Open; write: Open }
type Open = (generation: Generation) => Promise<Assistant>
const WAYS: Way[] = [
  {
    name: 'HTTP',
    read: (generation) => overHttp(generation, { baseUrl, key: keys.readOnly }),
    write: (generation) => overHttp(generation, { baseUrl, key: marked }),
  },
  {
    name: 'stdio',
    read: (generation) => overStdio(generation, { baseUrl, key: keys.readOnly }, ['--write']),
    write: (generation) => overStdio(generation, { baseUrl, key: marked }, ['--write']),
  },
]

async function using(open: Promise<Assistant>, work: (assistant: Assistant) => Promise<void>) {
  const assistant = await open
  try {
    await work(assistant)
  } finally {
    await assistant.close()
  }
}

const namesOf = async (assistant: Assistant) => (await assistant.tools()).map(({ name }) => name)
const countNamed = (name: string) =>
  db.count('monitors', 'org_id = $1 and name = $2', [toUuid(orgId), name])

for (const way of WAYS)
  for (const generation of GENERATIONS)
    describe(`a client of ${generation} over ${way.name}`, () => {
      test('a read-only key lists ten tools, and a write by name is refused', async () => {
        await using(way.read(generation), async (assistant) => {
          const tools = await assistant.tools()
          assert.equal(tools.length, 10)
          assert.equal(assistant.willSendToolChanges, false)
          assert.ok(tools.every(({ annotations }) => annotations?.readOnlyHint === true))
          const name = `Refused ${way.name} ${generation}`
          const fields = { name, type: 'CRON', expectedPeriodSec: 300, requestKey: 'refused' }
          const refused = await assistant.call('create_monitor', fields)
          assert.equal(refused.isError, true)
          assert.equal(await countNamed(name), 0)
        })
      })

      test('every tool that reads answers', async () => {
        const { id: monitorId } = await api.createMonitor({ name: 'Read' })
        await using(way.read(generation), async (assistant) => {
          const calls: [name: string, args: Record<string, unknown>][] = [
            ['overview', {}],
            ['find_monitors', { q: 'Read', limit: 5 }],
            ['get_monitor', { monitorId }],
            ['get_uptime', { monitorId }],
            ['find_incidents', { status: 'ONGOING' }],
            ['get_status_page', {}],
            ['find_maintenance', { status: 'SCHEDULED' }],
            ['find_deliveries', {}],
            ['search_docs', { q: 'pause' }],
          ]
          for (const [name, args] of calls) {
            const { isError, text } = await assistant.call(name, args)
            assert.equal(isError, false, `${name}: ${text}`)
          }
          const unknown = await assistant.call('explain_incident', { incidentId: 'inc_unknown' })
          assert.equal(unknown.isError, true)
          assert.match(unknown.text, /not_found/)
          const wrong = await assistant.call('get_monitor', { monitorId: 7 })
          assert.equal(wrong.isError, true)
        })
      })

      test('a repeated change happens once, and other input with its key is refused', async () => {
        const name = `Once ${way.name} ${generation}`
        const requestKey = `once-${way.name}-${generation}`
        const fields = { name, type: 'CRON', expectedPeriodSec: 300, requestKey }
        await using(way.write(generation), async (assistant) => {
          assert.equal((await namesOf(assistant)).length, 17)
          const first = await assistant.call('create_monitor', fields)
          assert.equal(first.isError, false, first.text)
          const again = await assistant.call('create_monitor', fields)
          assert.equal(again.text, first.text)
          const other = await assistant.call('create_monitor', { ...fields, graceSeconds: 90 })
          assert.match(other.text, /idempotency_conflict/)
          const keyless = await assistant.call('create_monitor', { name, type: 'CRON' })
          assert.equal(keyless.isError, true)
        })
        assert.equal(await countNamed(name), 1)
      })
    })

test('create_monitor: contactIds chooses whom it alerts; empty, nobody', async () => {
  const contact = (name: string) =>
    api.post('/api/ext/v1/alert-contacts', {
      name,
      channel: 'EMAIL',
      settings: { address: `${name}@example.com` },
    })
  const ops = (await contact('ops')).json as { id: string }
  await contact('night')
  const attachedTo = async (requestKey: string, fields: Record<string, unknown>) => {
    const more = { name: requestKey, type: 'CRON', expectedPeriodSec: 300, requestKey }
    const assistant = await overHttp('2026', { baseUrl, key: marked })
    const made = await assistant.call('create_monitor', { ...more, ...fields })
    await assistant.close()
    assert.equal(made.isError, false, made.text)
    const answer = await api.get('/api/ext/v1/monitors')
    const { data } = answer.json as { data: { id: string; alertContactIds: string[] }[] }
    return data.find(({ id }) => id === made.json['id'])?.alertContactIds
  }
  assert.deepEqual(await attachedTo('none', { contactIds: [] }), [])
  assert.deepEqual(await attachedTo('one', { contactIds: [ops.id] }), [ops.id])
  assert.equal((await attachedTo('all', {}))?.length, 2)
})

test('ten calls at once with one requestKey: one change, and each says so or that it is in progress', async () => {
  const fields = { name: 'At once', type: 'CRON', expectedPeriodSec: 300, requestKey: 'at-once' }
  const assistants = await Promise.all([
    ...Array.from({ length: 5 }, () => overHttp('2026', { baseUrl, key: marked })),
    ...Array.from({ length: 5 }, () => overHttp('2025', { baseUrl, key: marked })),
  ])
  const answers = await Promise.all(assistants.map((each) => each.call('create_monitor', fields)))
  await Promise.all(assistants.map((each) => each.close()))
  assert.equal(await countNamed('At once'), 1)
  const made = answers.filter(({ isError }) => !isError)
  assert.ok(made.length >= 1)
  assert.equal(new Set(made.map(({ json }) => json['id'])).size, 1)
  for (const { isError, text } of answers)
    if (isError) assert.match(text, /idempotency_in_progress/)
})

describe('who may change something', () => {
  const counts: [what: string, open: Open, tools: number][] = [
    ['a full key over HTTP', (g) => overHttp(g, { baseUrl, key: keys.full }), 10],
    ['a marked key over HTTP', (g) => overHttp(g, { baseUrl, key: marked }), 17],
    ['a full key over stdio', (g) => overStdio(g, { baseUrl, key: keys.full }), 10],
    ['a marked key over stdio without --write', (g) => overStdio(g, { baseUrl, key: marked }), 10],
    ['a marked key with --write', (g) => overStdio(g, { baseUrl, key: marked }, ['--write']), 17],
    ['a full key with --write', (g) => overStdio(g, { baseUrl, key: keys.full }, ['--write']), 10],
  ]
  for (const [what, open, tools] of counts)
    test(`${what}: ${tools} tools`, async () => {
      for (const generation of GENERATIONS)
        await using(open(generation), async (assistant) =>
          assert.equal((await assistant.tools()).length, tools),
        )
    })

  test('a key that is revoked or loses its mark stops with the next call', async () => {
    const key = await fixture.createKey(orgId, { name: 'Passing' })
    const set = (change: string) => db.run(`update api_keys set ${change} where name = 'Passing'`)
    await set('mcp_writes = true')
    await using(overHttp('2025', { baseUrl, key }), async (assistant) => {
      assert.equal((await assistant.tools()).length, 17)
      await set('mcp_writes = false')
      assert.equal((await assistant.tools()).length, 10)
      await set('revoked_at = now()')
      assert.equal((await assistant.call('overview')).isError, true)
    })
  })
})

test('every change is in the audit log, with the key and as done through MCP', async () => {
  const { id: monitorId } = await api.createMonitor({ name: 'Audited' })
  await using(overHttp('2026', { baseUrl, key: marked }), async (assistant) => {
    const args = { monitorId, action: 'PAUSE', requestKey: 'audit-1' }
    const paused = await assistant.call('pause_or_resume_monitor', args)
    assert.equal(paused.json['state'], 'PAUSED', paused.text)
  })
  const lines = await db.run<{ actor_name: string; action: string; detail: { via?: string } }>(
    `select actor_name, action, detail from audit_log where resource_id = $1 order by at`,
    [monitorId],
  )
  assert.deepEqual(
    lines.map(({ action, detail }) => [action, detail.via]),
    [
      ['createMonitor', undefined],
      ['pauseMonitor', 'MCP'],
    ],
  )
  assert.equal(lines[1]?.actor_name, 'Assistant')
})
