// GET /compat/uptime-kuma/metrics, read the way Home Assistant's integration for Uptime Kuma reads it.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toUuid } from '../kit/ids.ts'
import { readAsHomeAssistant } from '../kit/kuma-reader.ts'

const DAY_MS = 86_400_000
const fixture = await startProduct()
const { api, db, keys, service } = fixture
after(() => fixture.stop())
const read = () => readAsHomeAssistant(`${service.baseUrl}/compat/uptime-kuma`, keys.readOnly)

test('one record per monitor, keyed by name, with what the integration shows', async () => {
  const shop = await api.createMonitor({
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example.com/health?token=x',
  })
  await db.setMonitorStatus(shop.id, {
    state: 'UP',
    last_response_ms: 184,
    cert_expires_at: new Date(Date.now() + 10.5 * DAY_MS),
  })
  await db.run(
    `update state_spans set started_at = now() - interval '10 hours', state = 'UP'
      where monitor_no = (select no from monitors where id = $1)`,
    [toUuid(shop.id)],
  )
  const found = (await read()).get('Shop')
  assert.deepEqual(found, {
    name: 'Shop',
    type: 'http',
    status: 'UP',
    url: 'https://shop.example.com/health',
    hostname: null,
    port: null,
    responseTimeMs: 184,
    certDaysRemaining: 10,
    certIsValid: true,
    uptimeRatios: { '1d': 1, '30d': 1, '365d': 1 },
    tags: [],
  })
})

test('every type has a record, and those without a counterpart are unknown', async () => {
  const monitors: [fields: Record<string, unknown>, expected: string][] = [
    [
      { type: 'KEYWORD', url: 'https://a.example', keyword: 'ok' },
      'keyword https://a.example null',
    ],
    [{ type: 'PING', host: 'db.example' }, 'ping null db.example'],
    [{ type: 'PORT', host: 'db.example', port: 5432 }, 'port null db.example'],
    [{ type: 'CRON', expectedPeriodSec: 300 }, 'push null null'],
    [{ type: 'DNS', url: 'a.example' }, 'dns null a.example'],
    [{ type: 'SSL', url: 'https://a.example' }, 'unknown https://a.example null'],
    [{ type: 'DOMAIN', url: 'a.example' }, 'unknown null a.example'],
  ]
  for (const [fields] of monitors)
    await api.createMonitor({ name: `Kind ${String(fields['type'])}`, ...fields })
  const records = await read()
  for (const [fields, expected] of monitors) {
    const record = records.get(`Kind ${String(fields['type'])}`)
    assert.equal(`${record?.type} ${record?.url} ${record?.hostname}`, expected)
    assert.equal(record?.status, 'PENDING')
    assert.equal(record?.responseTimeMs, -1)
  }
  assert.equal(records.get('Kind PORT')?.port, '5432')
})

test('status: down, degraded, maintenance; a paused monitor has no record', async () => {
  const states = ['DOWN', 'DEGRADED', 'PAUSED', 'UP']
  for (const state of states) {
    const { id } = await api.createMonitor({ name: `Is ${state}` })
    const changes = { state, ...(state === 'PAUSED' && { next_due_at: null }) }
    await db.setMonitorStatus(id, changes)
    if (state === 'UP')
      await db.run(
        `insert into maintenance_spans (monitor_no, started_at, window_id)
         select no, now() - interval '1 minute', gen_random_uuid() from monitors where id = $1`,
        [toUuid(id)],
      )
  }
  const records = await read()
  assert.deepEqual(
    states.map((state) => records.get(`Is ${state}`)?.status),
    ['DOWN', 'UP', undefined, 'MAINTENANCE'],
  )
})

test('equal names: each monitor has its own record, in the order of creation', async () => {
  const ids: string[] = []
  for (let i = 0; i < 3; i++) ids.push((await api.createMonitor({ name: 'Twin' })).id)
  await db.setMonitorStatus(ids[1] ?? '', { state: 'DOWN' })
  const records = await read()
  assert.deepEqual(
    ['Twin', 'Twin (2)', 'Twin (3)'].map((name) => records.get(name)?.status),
    ['PENDING', 'DOWN', 'PENDING'],
  )
})
