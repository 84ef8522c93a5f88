// Moving from Uptime Kuma 2.5.3 by the command: nothing of 56 monitors of every type is lost without being named.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { parse } from 'yaml'
import { makeKumaDatabase } from '../../test/import/kuma-database.ts'
import { FIFTY_SIX, KUMA_CASES, KUMA_TYPES } from '../../test/import/kuma-fifty-six.ts'
import { runUpv } from '../../test/run-upv.ts'
import type { ImportReport } from './common/report.ts'

const MONITORS = 56
const folder = mkdtempSync(join(tmpdir(), 'upv-kuma-'))
after(() => rmSync(folder, { recursive: true }))

const at = (name: string) => join(folder, name)
let report: ImportReport
let file: { monitors: Record<string, Record<string, unknown>> }
let output = ''

before(async () => {
  makeKumaDatabase(at('kuma.db'), 2, FIFTY_SIX)
  const { code, stdout, stderr } = await runUpv([
    'import',
    'uptime-kuma',
    `--file=${at('kuma.db')}`,
    `--output=${at('upvane.yaml')}`,
    `--report=${at('report.json')}`,
    `--heartbeats=${at('heartbeats.csv')}`,
    `--secrets-file=${at('secrets.env')}`,
  ])
  assert.equal(code, 0, stderr)
  output = stdout
  report = JSON.parse(readFileSync(at('report.json'), 'utf8')) as ImportReport
  file = parse(readFileSync(at('upvane.yaml'), 'utf8')) as typeof file
})

test(`${MONITORS} monitors of every type: each is imported, or named with the reason`, () => {
  assert.equal(KUMA_CASES.length, MONITORS)
  assert.equal(new Set(KUMA_CASES.map(({ row }) => row['type'])).size, KUMA_TYPES)
  const refused = KUMA_CASES.filter(({ expected }) => 'why' in expected).length
  const { total, notTaken } = report.counts['monitor'] ?? {}
  assert.deepEqual([total, notTaken], [MONITORS, refused])
  assert.match(output, new RegExp(`^monitor: +${MONITORS} = .* ${refused} not taken$`, 'm'))
  // Uptime Kuma 2 reminds of every domain unless somebody turns it off: one DOMAIN monitor for each.
  const added = report.additions.flatMap(({ address }) => address.split('monitors.')[1] ?? [])
  assert.equal(Object.keys(file.monitors).length, MONITORS - refused + added.length)
  assert.ok(added.length > 0)
  for (const key of added) assert.equal(file.monitors[key]?.['type'], 'DOMAIN')
  const reported = report.items.filter(({ kind }) => kind === 'monitor').map(({ id }) => id)
  assert.deepEqual(reported.toSorted(), KUMA_CASES.map(({ row }) => String(row['id'])).toSorted())
})

for (const { row, expected } of KUMA_CASES)
  test(`${String(row['type'])}: ${String(row['name'])}`, () => {
    const item = report.items.find(({ kind, id }) => kind === 'monitor' && id === String(row['id']))
    assert.ok(item)
    if ('why' in expected) {
      assert.equal(item.outcome, 'not taken')
      assert.ok('why' in item && item.why.includes(expected.why), JSON.stringify(item))
      return
    }
    assert.ok('became' in item, JSON.stringify(item))
    const made = file.monitors[item.became.split('.').at(-1) ?? ''] ?? {}
    for (const [field, value] of Object.entries(expected.fields))
      assert.deepEqual(made[field], value, `${field} of ${JSON.stringify(made)}`)
    const lost = item.outcome === 'changed' ? item.changes.map(({ field }) => field) : []
    assert.deepEqual(lost.toSorted(), (expected.lost ?? []).toSorted())
  })

test('secrets are only in the file for them, and the file is valid', async () => {
  const texts = ['upvane.yaml', 'report.json'].map((name) => readFileSync(at(name), 'utf8'))
  for (const text of [output, ...texts]) assert.ok(!text.includes('planted'), text)
  const secrets = readFileSync(at('secrets.env'), 'utf8')
  assert.equal(secrets.split('planted').length - 1, 2, 'a header and a token')
  assert.ok(secrets.includes(Buffer.from('a:planted').toString('base64')), 'a password')
  const { code, stderr } = await runUpv(['validate', '-f', at('upvane.yaml')])
  assert.equal(code, 0, stderr)
})
