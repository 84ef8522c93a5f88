import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fitComponents } from './followed-tag.ts'

const on = (pageUuid: string, components: number, last: number) => ({ pageUuid, components, last })

// biome-ignore format: a table is read by its columns
const rows: [name: string, missing: ReturnType<typeof on>[], positions: number[]][] = [
  ['none',                        [],                                             []],
  ['after the last component',    [on('a', 2, 7), on('a', 2, 7)],                 [8, 9]],
  ['each page for itself',        [on('a', 0, 0), on('b', 3, 3), on('a', 0, 0)],  [1, 4, 2]],
  ['what fits on the page',       [on('a', 199, 199), on('a', 199, 199)],         [200]],
  ['nothing on a full page',      [on('a', 200, 200), on('b', 0, 0)],             [1]],
  ['positions have an end',       [on('a', 1, 32_767)],                           [32_767]],
]

for (const [name, missing, positions] of rows)
  test(`fitComponents: ${name}`, () => {
    assert.deepEqual(
      fitComponents(missing).map(({ position }) => position),
      positions,
    )
  })
