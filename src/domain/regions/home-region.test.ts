import assert from 'node:assert/strict'
import { test } from 'node:test'
import { resolveHomeRegion } from './home-region.ts'

// biome-ignore format: a table is read by its columns
const rows: [why: string, chosen: string | null, present: string[], home: string | undefined][] = [
  ['nothing chosen: the oldest region',           null, ['eu', 'ap'],  'eu'],
  ['chosen and present',                          'us', ['eu', 'us'],  'us'],
  ['chosen, but without probes: the oldest',      'us', ['eu', 'ap'],  'eu'],
  ['chosen, and no probe anywhere',               'us', [],            undefined],
  ['no probe anywhere',                           null, [],            undefined],
]
for (const [why, chosen, present, home] of rows)
  test(`home region, ${why}: ${home ?? 'none'}`, () => {
    assert.equal(resolveHomeRegion({ chosen, present }), home)
  })
