// What a stranger, a reader or a careless program can send to the extension API and to /hb/alias: everything has a bound.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, describe, test } from 'node:test'
import type { Client } from '../kit/client.ts'
import { EXT_OPERATIONS } from '../kit/ext-replies.ts'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'

const EXT = '/api/ext/v1'
const ALIASES = `${EXT}/ping-aliases`
const SOURCE = `${EXT}/sources/shop/bindings`
const MAX_BODY_BYTES = 2 * 1024 * 1024
const UNKNOWN = '01m7ef2j5re008007k9b361f3r'
const fixture = await startProduct()
const { api, keys, service } = fixture
after(() => fixture.stop())

type Detail = {
  id: string
  tags: unknown
  alertContactIds: unknown
  managedBy: unknown
  regions: unknown
}
type Alias = { monitorId: string; token: string }
const add = (client: Client, aliases: Alias[]) => client.post(ALIASES, { aliases })
const totalOf = async (client: Client) =>
  ((await client.get(ALIASES)).json as { total: number }).total

async function createAlias(client: Client, token: string): Promise<{ id: string; prefix: string }> {
  const { id } = await client.createMonitor()
  const answer = await add(client, [{ monitorId: id, token }])
  assert.equal(answer.status, 200, answer.text)
  return { id, prefix: (answer.json as { prefix: string }).prefix }
}

async function ping(url: string, init: RequestInit = {}): Promise<number> {
  const response = await fetch(url, init)
  await response.text()
  return response.status
}

const callsOf = (id: string) =>
  fixture.db.run<{ signal: string; rid: string | null; body: string | null }>(
    `select signal, rid, body from heartbeat_calls
      where monitor_no = (select no from monitors where id = $1) order by at`,
    [toUuid(id)],
  )

test('keys that are expired or disabled are like no key at all, for every operation', async () => {
  for (const key of [keys.expired, keys.disabled])
    for (const { method, path, id } of EXT_OPERATIONS) {
      const target = path.replaceAll(/\{\w+\}/g, `x_${UNKNOWN}`)
      assert.equal((await api.request(method, target, { key })).code, 'unauthorized', id)
    }
})

test('a key that expires while it is used is refused from then on', async () => {
  const expiresAt = new Date(Date.now() + 1500)
  const client = api.as(await fixture.createKey(fixture.orgId, { expiresAt }))
  assert.equal((await client.get(ALIASES)).status, 200)
  await new Promise((resolve) => setTimeout(resolve, Number(expiresAt) - Date.now() + 20))
  assert.equal((await client.get(ALIASES)).code, 'unauthorized')
  assert.equal((await add(client, [])).code, 'unauthorized')
})

describe('bodies', { concurrency: 4 }, () => {
  const writes = EXT_OPERATIONS.filter(({ method }) => ['POST', 'PUT', 'PATCH'].includes(method))
  for (const { method, path, id } of writes)
    test(`${id}: a body beyond 2 MiB is refused, also in chunks`, async () => {
      const rawBody = JSON.stringify({ filler: 'x'.repeat(MAX_BODY_BYTES) })
      const target = path.replaceAll(/\{\w+\}/g, `x_${UNKNOWN}`)
      for (const chunked of [false, true]) {
        const answer = await api.request(method, target, { rawBody, chunked })
        assert.ok([400, 404].includes(answer.status), `${answer.status} ${answer.text}`)
      }
    })

  const nested = `${'['.repeat(50_000)}${']'.repeat(50_000)}`
  const shapes: [what: string, rawBody: string][] = [
    ['50,000 lists inside each other', `{"revision":0,"bindings":${nested}}`],
    ['a number beyond all numbers', '{"revision":1e400,"bindings":[]}'],
    ['a number that is not exact', '{"revision":9007199254740993,"bindings":[]}'],
    ['half a number', '{"revision":0.5,"bindings":[]}'],
    ['a text for a number', '{"revision":"0","bindings":[]}'],
    ['an object for a list', '{"revision":0,"bindings":{"length":1}}'],
    [
      'a negative generation',
      '{"revision":0,"bindings":[{"address":"monitors.a","generation":-1}]}',
    ],
    ['an empty digest', '{"revision":0,"bindings":[{"address":"monitors.a","digest":""}]}'],
    [
      'an address of 201 characters',
      JSON.stringify({ revision: 0, bindings: [{ address: `monitors.${'a'.repeat(192)}` }] }),
    ],
    ['half a character', '{"revision":0,"bindings":[{"address":"monitors.\\ud800"}]}'],
  ]
  for (const [what, rawBody] of shapes)
    test(`putSourceBindings 400: ${what}`, async () => {
      const answer = await api.request('PUT', SOURCE, { rawBody })
      assert.equal(answer.code, 'validation_error', answer.text)
    })

  test('the largest bindings that fit into a body are stored and read back', async () => {
    const { api: own } = await fixture.createOrganization()
    const bindings = Array.from({ length: 4_000 }, (_, at) => ({
      address: `monitors.${String(at).padStart(191, '0')}`,
      digest: 'd'.repeat(200),
    }))
    const written = await own.put(SOURCE, { revision: 0, bindings })
    assert.equal(written.status, 200, written.text.slice(0, 200))
    const { bindings: read } = (await own.get(SOURCE)).json as { bindings: typeof bindings }
    assert.deepEqual(
      read.map(({ address, digest }) => ({ address, digest })),
      bindings,
    )
  })
})

describe('ping aliases', { concurrency: 4 }, () => {
  const lengths: [token: string, status: number][] = [
    ['x'.repeat(64), 200],
    [`${'x'.repeat(64)}/${'y'.repeat(100)}`, 200],
    ['x'.repeat(65), 400],
    [`${'x'.repeat(64)}/${'y'.repeat(101)}`, 400],
    ['x', 400],
    ['x'.repeat(9), 400],
    ['x'.repeat(10), 200],
    ['xxxxxxxxxx/', 400],
    ['/xxxxxxxxxx', 400],
    ['..........', 400],
    ['xxxxxxxxxx%2Fy', 400],
    ['xxxxxxxxxx\u0000', 400],
    ['xxxxxxx/log', 400],
    ['xxxxxxx/255', 400],
  ]
  for (const [token, status] of lengths)
    test(`addPingAliases ${status}: ${JSON.stringify(token).slice(0, 20)}, ${token.length} characters`, async () => {
      const { id } = await api.createMonitor()
      assert.equal((await add(api, [{ monitorId: id, token }])).status, status)
    })

  test('10 calls at once leave a monitor with no more than 5', async () => {
    const { api: own } = await fixture.createOrganization()
    const { id } = await own.createMonitor()
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, at) =>
        add(own, [{ monitorId: id, token: `token-number-${at}` }]),
      ),
    )
    assert.equal(answers.filter(({ status }) => status === 200).length, 5)
    for (const { code, status } of answers) if (status !== 200) assert.equal(code, 'conflict')
    assert.equal(await totalOf(own), 5)
  })

  test('one alias that is wrong among 100 adds none', async () => {
    const { api: own } = await fixture.createOrganization()
    const jobs = await Promise.all(Array.from({ length: 20 }, () => own.createMonitor()))
    const aliases = Array.from({ length: 100 }, (_, at) => ({
      monitorId: jobs[at % 20]?.id ?? '',
      token: `some-token-${at}`,
    }))
    const wrong = [...aliases.slice(1), { monitorId: `mon_${UNKNOWN}`, token: 'unknown-token' }]
    assert.equal((await add(own, wrong)).code, 'conflict')
    assert.equal(await totalOf(own), 0)
    assert.equal((await add(own, aliases)).status, 200)
    assert.equal(await totalOf(own), 100)
  })

  test('another organization can neither use, move, count nor remove them', async () => {
    const [ours, theirs] = [await fixture.createOrganization(), await fixture.createOrganization()]
    const { id, prefix } = await createAlias(theirs.api, 'nightly-backup')
    const unknown = await add(ours.api, [{ monitorId: `mon_${UNKNOWN}`, token: 'nightly-backup' }])
    const foreign = await add(ours.api, [{ monitorId: id, token: 'nightly-backup' }])
    assert.equal(foreign.code, 'conflict')
    assert.equal(foreign.error.message, unknown.error.message)
    // Their id in front of the token does not lead into their organization.
    const own = await createAlias(ours.api, 'nightly-backup')
    const inside = `${prefix.slice(-24)}/nightly-backup`
    assert.equal((await add(ours.api, [{ monitorId: own.id, token: inside }])).status, 200)
    assert.equal(await ping(`${prefix}/nightly-backup`), 200)
    assert.deepEqual([(await callsOf(id)).length, (await callsOf(own.id)).length], [1, 0])
    const path = `${EXT}/monitors/${id}/ping-aliases`
    assert.equal((await ours.api.delete(path)).code, 'not_found')
    assert.deepEqual([await totalOf(ours.api), await totalOf(theirs.api)], [2, 1])
    assert.equal(await ping(`${prefix}/nightly-backup`), 200)
  })

  test('an alias from before short tokens were refused keeps working', async () => {
    const { id, prefix } = await createAlias(api, 'long-enough')
    const hashOf = (token: string) =>
      createHash('sha256')
        .update(`${prefix.slice(-24)}/${token}`)
        .digest()
    const change = 'update ping_aliases set hash = $2 where hash = $1 returning 1'
    const changed = await fixture.db.run(change, [hashOf('long-enough'), hashOf('a')])
    assert.equal(changed.length, 1)
    assert.equal(await ping(`${prefix}/a`), 200)
    assert.equal((await callsOf(id)).length, 1)
  })

  test('a monitor that is no longer of type CRON is not pinged', async () => {
    const { id, prefix } = await createAlias(api, 'changes-type')
    const changed = await api.patch(`/monitors/${id}`, { type: 'PING', host: 'example.com' })
    if (changed.status === 200) assert.equal(await ping(`${prefix}/changes-type`), 404)
    else assert.equal(await ping(`${prefix}/changes-type`), 200, 'a type cannot change')
  })
})

describe('/hb/alias', { concurrency: 4 }, () => {
  test('hostile paths are not found, and nothing is recorded', async () => {
    const { id, prefix } = await createAlias(api, 'hostile-paths')
    const orgId = prefix.slice(-24)
    const base = `${service.baseUrl}/hb/alias`
    const paths = [
      `/${orgId}/hostile-paths%00`,
      `/${orgId}/hostile-paths%2Fstart`,
      `/${orgId}//hostile-paths`,
      `/${orgId}/hostile-paths//`,
      `/${orgId}/./hostile-paths%20`,
      `/${orgId}/HOSTILE-PATHS`,
      `/${orgId}/hostile-paths/256`,
      `/${orgId}/hostile-paths/-1`,
      `/${orgId}/hostile-paths/START`,
      `/${orgId.toLowerCase()}x/hostile-paths`,
      `/${orgId.slice(1)}/hostile-paths`,
      `/${orgId}/${'x'.repeat(65)}`,
      `/${orgId}/${'x/'.repeat(2_000)}`,
      `/${orgId}/%FF`,
      `/${'%41'.repeat(24)}/hostile-paths`,
      '/__proto__/hostile-paths',
    ]
    for (const path of paths) assert.equal(await ping(base + path), 404, path.slice(0, 60))
    assert.deepEqual(await callsOf(id), [])
  })

  test('a long body, message or run id is cut, and what PostgreSQL does not take is replaced', async () => {
    const { id, prefix } = await createAlias(api, 'long-bodies')
    const url = `${prefix}/long-bodies`
    assert.equal(await ping(url, { method: 'POST', body: 'é'.repeat(500_000) }), 200)
    assert.equal(await ping(`${url}?status=down&msg=${'m'.repeat(12_000)}`), 200)
    assert.equal(await ping(`${url}?msg=a%00b%FF&rid=${'r'.repeat(500)}`), 200)
    assert.equal(await ping(`${url}?status=down&status=up&msg=&rid=`), 200)
    const calls = await callsOf(id)
    for (const { body, rid } of calls) {
      assert.ok(Buffer.byteLength(body ?? '') <= 10_003, String(body?.length))
      assert.ok((rid ?? '').length <= 100)
    }
    assert.deepEqual(
      calls.map(({ signal }) => signal),
      ['SUCCESS', 'FAIL', 'SUCCESS', 'FAIL'],
    )
    assert.equal(calls[2]?.body, 'a\uFFFDb\uFFFD')
    assert.equal(calls[3]?.body, null)
  })

  test('all aliases of a monitor in a tight loop: each has its limit, so the monitor has one', async () => {
    const { id } = await api.createMonitor()
    const tokens = ['a', 'b', 'c', 'd', 'e'].map((letter) => `tight-loop-${letter}`)
    const added = await add(
      api,
      tokens.map((token) => ({ monitorId: id, token })),
    )
    const { prefix } = added.json as { prefix: string }
    const pings = tokens.flatMap((token) =>
      Array.from({ length: 80 }, () => ping(`${prefix}/${token}`)),
    )
    assert.deepEqual(new Set(await Promise.all(pings)), new Set([200]))
    const { length } = await callsOf(id)
    // 30 a minute for each; a minute may end in between.
    assert.ok(length >= 150 && length <= 2 * 150, String(length))
  })

  test('500 wrong tokens are answered, and the right one still works', async () => {
    const { prefix } = await createAlias(api, 'guessed-token')
    const guesses = Array.from({ length: 500 }, (_, at) => ping(`${prefix}/guess-${at}`))
    assert.deepEqual(new Set(await Promise.all(guesses)), new Set([404]))
    assert.equal(await ping(`${prefix}/guessed-token`), 200)
  })
})

describe('tags by name in a path', () => {
  test('20 on a monitor, 200 in the organization, and no name that a body could not have', async () => {
    const { api: own } = await fixture.createOrganization()
    const monitors = await Promise.all(Array.from({ length: 11 }, () => own.createMonitor()))
    const tag = (at: number, name: string) =>
      own.put(`${EXT}/monitors/${monitors[at]?.id}/tags/${encodeURIComponent(name)}`)
    for (let at = 0; at < 200; at++) {
      const answer = await tag(Math.floor(at / 20), `tag ${at}`)
      assert.equal(answer.status, 200, answer.text)
    }
    assert.equal((await tag(0, 'tag 100')).code, 'plan_limit')
    const beyond = await tag(10, 'one more')
    assert.ok(['plan_limit', 'conflict'].includes(beyond.code ?? ''), beyond.text)
    for (const name of [' ', 'a\nb', 'x'.repeat(201), '\u202e'])
      assert.equal((await tag(10, name)).code, 'validation_error', JSON.stringify(name))
  })
})

test('a read-only key sees in bulk what it sees one by one, and no secret', async () => {
  const { api: own, id: orgId } = await fixture.createOrganization()
  const requestHeaders = { Authorization: 'Bearer PLANTED-SECRET' }
  const url = 'https://example.com/'
  const { id } = await own.createMonitor({ type: 'HTTP', url, requestHeaders })
  await createAlias(own, 'PLANTED-SECRET')
  await own.post(`${EXT}/alert-contacts`, {
    name: 'Ops',
    channel: 'SLACK',
    settings: { url: 'https://hooks.example.com/services/T0/B0/PLANTED-SECRET' },
  })
  await own.put(SOURCE, {
    revision: 0,
    bindings: [{ address: 'monitors.a', id, digest: 'PLANTED-SECRET' }],
  })
  const reader = own.as(await fixture.createKey(orgId, { access: 'READ_ONLY' }))
  const { data } = (await reader.get(`${EXT}/monitors`)).json as { data: Detail[] }
  assert.equal(data.length, 2)
  for (const detail of data) {
    const {
      tags: _tags,
      alertContactIds: _ids,
      managedBy: _by,
      regions: _regions,
      ...fields
    } = detail
    assert.deepEqual(fields, await reader.getMonitor(detail.id))
  }
  for (const path of ['/alert-contacts', '/sources/shop/bindings', '/ping-aliases', '/overview'])
    assert.doesNotMatch((await reader.get(EXT + path)).text, /PLANTED-SECRET|hb\/alias/, path)
})
