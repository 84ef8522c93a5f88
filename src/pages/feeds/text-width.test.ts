import assert from 'node:assert/strict'
import { test } from 'node:test'
import { textWidth } from './text-width.ts'

// biome-ignore format: a table is read by its columns
const rows: [text: string, width: number, isExact: boolean][] = [
  ['',            1,  true],
  ['API',         19, true],  // 684 + 603 + 421 thousandths of 11 px
  ['Operational', 64, true],
  ['Über',        27, true],  // as wide as "Uber"
  ['U\u0308ber',   27, true],  // and so is its decomposed form
  ['正常',        22, false],
  ['한국',        22, false],
  ['Я',           8,  false],
]
for (const [text, width, isExact] of rows)
  test(`textWidth: "${text}" is ${width} px wide`, () =>
    assert.deepEqual(textWidth(text), { width, isExact }))
