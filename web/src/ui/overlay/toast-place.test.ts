import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Box, type Obstacle, placeToast } from './toast-place.ts'

const AREA: Box = { left: 240, top: 0, width: 1000, height: 800 }
const SIZE = { width: 300, height: 48 }
const button = (left: number, top: number, width = 120, height = 32): Obstacle => ({
  left,
  top,
  width,
  height,
  weight: 10,
})
const link = (left: number, top: number, width = 200): Obstacle => ({
  ...button(left, top, width, 20),
  weight: 1,
})
/** A bar of buttons across the whole foot. */
const FOOT = button(240, 740, 1000, 60)
const EVERYWHERE = button(0, 0, 2000, 2000)

type Case = [what: string, obstacles: Obstacle[], place: [left: number, top: number]]
// biome-ignore format: a table is read by its columns
const cases: Case[] = [
  ['nothing in the way: bottom start',              [],                                     [240, 752]],
  ['a button at the start: the center',             [button(260, 760)],                     [590, 752]],
  ['buttons at the start and center: the end',      [button(260, 760), button(600, 760)],   [940, 752]],
  ['a button that touches the space around it',     [button(250, 803, 100, 10)],            [590, 752]],
  ['a sticky foot: just above it',                  [FOOT],                                 [240, 688]],
  ['a link is in the way too',                      [link(240, 770)],                       [590, 752]],
  ['no free place: rather a link than a button',    [{ ...EVERYWHERE, weight: 1 }, button(0, 300, 2000, 500)], [240, 272]],
  ['everything in the way: the lowest',             [EVERYWHERE],                           [240, 752]],
]
for (const [what, obstacles, place] of cases)
  test(`toast: ${what}`, () => {
    const { left, top } = placeToast(SIZE, AREA, obstacles)
    assert.deepEqual([left, top], place)
  })

test('toast: it stays while it covers nothing, and moves when something comes below it', () => {
  const current = { left: 590, top: 600 }
  assert.deepEqual(placeToast(SIZE, AREA, [FOOT], current), current)
  assert.deepEqual(placeToast(SIZE, AREA, [FOOT, button(600, 610)], current), {
    left: 240,
    top: 688,
  })
  assert.deepEqual(placeToast(SIZE, { ...AREA, height: 500 }, [], current), { left: 240, top: 452 })
})

test('toast: it starts at the edge of an area that is narrower than itself', () => {
  const { left } = placeToast(SIZE, { left: 16, top: 0, width: 200, height: 600 }, [])
  assert.equal(left, 16)
})
