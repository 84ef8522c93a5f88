// No setting of another tool is lost in silence: without it, the file or the report is another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { KUMA_MONITOR, KUMA_PAGE, KUMA_WINDOW } from '../../test/import/every-kuma-setting.ts'
import { EVERY_SETTING } from '../../test/import/every-setting.ts'
import { assertCounts } from '../../test/import/imported.ts'
import { KUMA_2_TABLES } from '../../test/import/kuma-schema.ts'
import type { Row } from '../../test/import/map-json.ts'
import type { Imported } from './common/collector.ts'
import { toYaml } from './common/to-yaml.ts'

/** All that people get, and the secrets apart from it. */
function outcomeOf({ file, report, secrets, heartbeats, incidents }: Imported): string {
  return JSON.stringify([toYaml('x', [], file), report, [...secrets], heartbeats, incidents])
}

/** What their tools assume by themselves: another value is refused or reported by a test of its own. */
const ASSUMED = ['upside_down', 'autoAddMonitors']

const KUMA_ROWS = {
  monitor: KUMA_MONITOR,
  status_page: KUMA_PAGE,
  maintenance: KUMA_WINDOW,
} satisfies Record<string, Row>

for (const [table, row] of Object.entries(KUMA_ROWS))
  test(`the row of ${table} has every column of the real schema`, () => {
    const columns = (KUMA_2_TABLES[table] ?? '')
      .split(',')
      .flatMap((column) => /^\s*([a-z]\w*)\s/.exec(column)?.[1] ?? [])
    assert.ok(columns.length > 10, String(columns))
    assert.deepEqual(Object.keys(row).toSorted(), columns.toSorted())
  })

for (const { what, row, map, own } of EVERY_SETTING) {
  const imported = map(row)
  const whole = outcomeOf(imported)

  test(`${what}: it is taken`, () => {
    assertCounts(imported)
    assert.ok(imported.report.items.some(({ outcome }) => outcome === 'changed'))
  })

  const isSet = (name: string) => row[name] !== '' && row[name] !== null && row[name] !== undefined
  const skipped = [...own, ...ASSUMED]
  for (const name of Object.keys(row).filter((each) => isSet(each) && !skipped.includes(each)))
    test(`${what}: ${name} is used or reported`, () => {
      const { [name]: _, ...rest } = row
      assert.ok(outcomeOf(map(rest)) !== whole, `${name} made no difference`)
    })

  test(`${what}: no secret is shown`, () => {
    const shown = toYaml('x', [], imported.file) + JSON.stringify(imported.report)
    assert.ok(!shown.includes('planted'), shown)
  })
}
