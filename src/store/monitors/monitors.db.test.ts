import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import {
  type DbFixture,
  startDbFixture,
  type TestDatabase,
} from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { getPostgresFolder } from '../../../tools/services/executables.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { pauseMonitor } from '../../actions/monitors/pause.ts'
import { updateMonitor } from '../../actions/monitors/update.ts'
import { createKey } from '../../actions/people/create-key.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import { saveResponse } from '../core/idempotency.ts'
import { findMonitor, listMonitors, type MonitorFilter } from './monitors.ts'

// The PostgreSQL from npm, which tests of other versions use, has no pg_dump.
const WITHOUT_DUMP = !existsSync(join(getPostgresFolder(), 'pg_dump')) && 'no pg_dump'
const MAX_DUMP_BYTES = 64 * 1024 * 1024

let fixture: DbFixture
let database: TestDatabase
before(async () => {
  fixture = await startDbFixture()
  database = await fixture.openDatabase()
})
after(() => fixture.stop())

const everyField: MonitorSettings = {
  name: '💡 "Name" \\ %_',
  type: 'KEYWORD',
  url: 'https://example.com/ä?b=c#d',
  host: 'host.example',
  port: 65_535,
  method: 'PATCH',
  expectedStatus: [599, 100, 100],
  requestHeaders: { 'X-Ascii': 'wert', authorization: "Bearer it's" },
  requestBody: '{"a":"\\u0000 is text here"}',
  followRedirects: false,
  verifySsl: false,
  keyword: 'k'.repeat(500),
  keywordMatch: 'NOT_EXISTS',
  dnsRecordType: 'MX',
  dnsExpected: '10 mail.example\nline',
  dnsAlertOnChange: false,
  sslExpiryThresholdDays: 365,
  intervalSeconds: 86_400,
  timeoutSeconds: 60,
  expectedPeriodSec: 2_592_000,
  graceSeconds: 86_400,
  degradedThresholdMs: 60_000,
  degradedThresholdMode: 'P95',
  degradedSamples: 100,
}

test('a monitor comes back as it was created, every field of it', async () => {
  const orgId = await database.createOrganization()
  for (const given of [everyField, sampleSettings(), sampleSettings({ type: 'CRON', url: null })]) {
    const made = await create(orgId, given)
    assert.deepEqual(await findMonitor(database.tenants.of(orgId), made.uuid), made)
    for (const [name, value] of Object.entries(given))
      assert.deepEqual(made[name as keyof MonitorSettings], value, name)
  }
})

test('an update writes every field, and null clears what may be null', async () => {
  const orgId = await database.createOrganization()
  const tenant = database.tenants.of(orgId)
  const { uuid } = await create(orgId, sampleSettings())
  const patch = (changes: Partial<MonitorSettings>) =>
    database.tenants.transaction(
      orgId,
      async (tx) => (await updateMonitor(tx, uuid, changes))?.after,
    )

  const full = await patch(everyField)
  assert.deepEqual(await findMonitor(tenant, uuid), full)
  const { requestHeaders, requestBody, host, port } = sampleSettings()
  const cleared = await patch({ requestHeaders, requestBody, host, port, dnsExpected: null })
  assert.equal(cleared?.requestHeaders, null)
  assert.deepEqual(await findMonitor(tenant, uuid), cleared)
})

test('secrets lie nowhere in the database as plain text', { skip: WITHOUT_DUMP }, async () => {
  const own = await fixture.openDatabase()
  const orgId = await own.createOrganization()
  const canaries = ['canary-header-7f3a', 'canary-body-91c4', 'canary-answer-55e0']
  const [header = '', body = '', answer = ''] = canaries
  const given = sampleSettings({
    requestHeaders: { Authorization: header },
    requestBody: body,
    type: 'CRON',
  })
  const request = {
    name: 'Key',
    access: 'FULL' as const,
    expiresAt: null,
    createdBy: '',
    mcpWrites: false,
  }
  const [token, key] = await own.tenants.transaction(orgId, async (tx) => {
    const monitor = await createMonitor(tx, given)
    await updateMonitor(tx, monitor.uuid, { name: 'Renamed' })
    await saveResponse(tx, 'key', Buffer.alloc(32), { status: 201, body: answer, location: null })
    return [monitor.heartbeatToken ?? '', (await createKey(tx, request)).key]
  })
  assert.ok(token.length > 16 && key.length > 16)

  const dump = await dumpOf(own.name)
  assert.ok(dump.includes('Renamed'), 'the dump holds the data')
  for (const secret of [...canaries, token, key])
    for (const form of formsOf(secret)) assert.ok(!dump.includes(form), `${form} is in the dump`)
})

test('list: newest first, with type, state and text as filters, and the count after them', async () => {
  const orgId = await database.createOrganization()
  const other = await database.createOrganization()
  await create(other, sampleSettings({ name: 'Alpha of another' }))
  for (const given of [
    sampleSettings({ name: 'Alpha', type: 'HTTP' }),
    sampleSettings({ name: 'Beta', type: 'PING', host: 'ALPHA.example', url: null }),
    sampleSettings({ name: 'Gamma', type: 'DNS', url: 'alpha.test' }),
    sampleSettings({ name: 'Delta', type: 'CRON', url: null }),
  ])
    await create(orgId, given)
  const paused = (await list(orgId, { state: ['PENDING'], q: 'Delta' })).monitors[0]?.uuid ?? ''
  await database.tenants.transaction(orgId, (tx) => pauseMonitor(tx, paused))

  const rows: [Partial<MonitorFilter>, string[], number][] = [
    [{}, ['Delta', 'Gamma', 'Beta', 'Alpha'], 4],
    [{ limit: 2 }, ['Delta', 'Gamma'], 4],
    [{ limit: 2, offset: 3 }, ['Alpha'], 4],
    [{ offset: 9 }, [], 4],
    [{ q: 'alpha' }, ['Gamma', 'Beta', 'Alpha'], 3],
    [{ q: 'alpha', limit: 1, offset: 1 }, ['Beta'], 3],
    [{ q: 'alpha', offset: 9 }, [], 3],
    [{ type: ['DNS', 'CRON'] }, ['Delta', 'Gamma'], 2],
    [{ state: ['PAUSED'] }, ['Delta'], 1],
    [{ state: ['UP', 'DOWN'] }, [], 0],
    [{ type: ['CRON'], state: ['PENDING'] }, [], 0],
  ]
  for (const [filter, names, total] of rows) {
    const page = await list(orgId, filter)
    assert.deepEqual(
      [page.total, page.monitors.map(({ name }) => name)],
      [total, names],
      JSON.stringify(filter),
    )
  }
})

test('list: %, _ and \\ in a search mean themselves', async () => {
  const orgId = await database.createOrganization()
  const names = ['100% sure', '100 sure', 'a_b', 'axb', 'back\\slash', 'backslash']
  for (const name of names) await create(orgId, sampleSettings({ name }))
  const rows: [string, string[]][] = [
    ['%', ['100% sure']],
    ['0%', ['100% sure']],
    ['_', ['a_b']],
    ['a_b', ['a_b']],
    ['\\', ['back\\slash']],
    ['k\\s', ['back\\slash']],
    ['%%', []],
    ["'", []],
  ]
  for (const [q, found] of rows)
    assert.deepEqual(
      (await list(orgId, { q })).monitors.map(({ name }) => name),
      found,
      q,
    )
})

function create(orgId: string, given: MonitorSettings) {
  return database.tenants.transaction(orgId, (tx) => createMonitor(tx, given))
}

function list(orgId: string, filter: Partial<MonitorFilter>) {
  return listMonitors(database.tenants.of(orgId), { limit: 100, offset: 0, ...filter })
}

/** The encodings in which a secret could appear in a dump. */
function formsOf(secret: string): string[] {
  const bytes = Buffer.from(secret)
  return [secret, bytes.toString('hex'), bytes.toString('base64').replaceAll('=', '')]
}

async function dumpOf(name: string): Promise<string> {
  const { stdout } = await promisify(execFile)(
    join(getPostgresFolder(), 'pg_dump'),
    ['--data-only', fixture.postgres.databaseUrl(name, 'postgres')],
    { maxBuffer: MAX_DUMP_BYTES },
  )
  return stdout
}
