// No setting of another tool is lost in silence: without it, the file or the report is another.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { EVERY_SETTING } from '../../test/import/every-setting.ts'
import { assertCounts } from '../../test/import/imported.ts'
import type { Imported } from './common/collector.ts'
import { toYaml } from './common/to-yaml.ts'

/** All that people get, and the secrets apart from it. */
function outcomeOf({ file, report, secrets, heartbeats, incidents }: Imported): string {
  return JSON.stringify([toYaml('x', [], file), report, [...secrets], heartbeats, incidents])
}

for (const { what, row, map, own } of EVERY_SETTING) {
  const imported = map(row)
  const whole = outcomeOf(imported)

  test(`${what}: it is taken`, () => {
    assertCounts(imported)
    assert.ok(imported.report.items.some(({ outcome }) => outcome === 'changed'))
  })

  for (const name of Object.keys(row).filter((each) => row[each] && !own.includes(each)))
    test(`${what}: ${name} is used or reported`, () => {
      const { [name]: _, ...rest } = row
      assert.ok(outcomeOf(map(rest)) !== whole, `${name} made no difference`)
    })

  test(`${what}: no secret is shown`, () => {
    const shown = toYaml('x', [], imported.file) + JSON.stringify(imported.report)
    assert.ok(!shown.includes('planted'), shown)
  })
}
