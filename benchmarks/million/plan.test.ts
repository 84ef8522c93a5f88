import assert from 'node:assert/strict'
import { test } from 'node:test'
import { monitorProblems } from '../../src/domain/monitors/rules.ts'
import { toCopyText } from './copy-text.ts'
import { BATCH, batchName, missingTypes, settingsOf } from './kinds.ts'
import { organizationOf, planRun, sizeOf } from './plan.ts'

// biome-ignore format: a table is read by its columns
const sizes: [monitors: number, intervalSeconds: number, organizations: number, bigSize: number][] = [
  [1000,      30,   10,     100],
  [5000,      30,   50,     500],
  [16_800,    60,   168,    1680],
  [100_000,   600,  1000,   10_000],
  [1_000_000, 3600, 10_000, 100_000],
]
for (const [monitors, intervalSeconds, organizations, bigSize] of sizes)
  test(`planRun: ${monitors} monitors`, () => {
    const minutes = 2
    const expected = { monitors, organizations, bigSize, intervalSeconds, minutes }
    assert.deepEqual(planRun({ monitors, minutes }), expected)
  })

for (const [why, asked] of Object.entries({
  'too few': { monitors: 999, minutes: 1 },
  'not a number': { monitors: Number.NaN, minutes: 1 },
  'no time': { monitors: 5000, minutes: 0 },
  'too often': { monitors: 5000, minutes: 1, intervalSeconds: 29 },
}))
  test(`planRun refuses: ${why}`, () => assert.throws(() => planRun(asked), RangeError))

test('every monitor has an organization, and each has as many as it says', () => {
  const size = planRun({ monitors: 5003, minutes: 1 })
  const counts = Array.from({ length: size.organizations }, () => 0)
  for (let monitor = 0; monitor < size.monitors; monitor++) {
    const organization = organizationOf(monitor, size)
    counts[organization] = (counts[organization] ?? 0) + 1
  }
  assert.deepEqual(
    counts,
    counts.map((_, organization) => sizeOf(organization, size)),
  )
})

test('every type is checked, with settings that the API accepts', () => {
  assert.deepEqual(missingTypes(), [])
  const uuid = '019aa000-0000-7000-8000-0000000000ff'
  const ports = { http: 20_000, https: 20_001 }
  for (let monitor = 0; monitor < 1000; monitor++) {
    const settings = settingsOf(monitor, { uuid, intervalSeconds: 3600 }, ports)
    assert.deepEqual(monitorProblems(settings), [], settings.type)
  }
})

test('a batch has exactly the monitors that its name finds', () => {
  const grid = { uuid: '019aa000-0000-7000-8000-0000000000ff', intervalSeconds: 3600 }
  const ports = { http: 20_000, https: 20_001 }
  const named = (monitor: number) => settingsOf(monitor, grid, ports).name
  assert.ok(named(BATCH - 1).includes(batchName(0)))
  assert.ok(named(BATCH).includes(batchName(1)))
  assert.ok(!named(BATCH).includes(batchName(0)))
})

// biome-ignore format: a table is read by its columns
const fields: [why: string, value: unknown, text: string][] = [
  ['null',        null,                             '\\N'],
  ['true',        true,                             't'],
  ['a number',    12,                               '12'],
  ['an instant',  new Date(0),                      '1970-01-01T00:00:00.000Z'],
  ['bytes',       Buffer.from([1, 255]),            '\\\\x01ff'],
  ['an array',    [200, 201],                       '{200,201}'],
  ['an object',   { at: new Date(0) },              '{"at":"1970-01-01T00:00:00.000Z"}'],
  ['plain text',  'Shop',                           'Shop'],
  ['separators',  'a\tb\nc\rd\\e',                  'a\\tb\\nc\\rd\\\\e'],
]
for (const [why, value, text] of fields)
  test(`toCopyText: ${why}`, () => assert.equal(toCopyText([[value, 1]]), `${text}\t1\n`))
