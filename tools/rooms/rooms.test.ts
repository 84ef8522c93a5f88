import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { arrowsOf, layersOf } from './layers.ts'
import { makePicture, PICTURE } from './picture.ts'

const ROOMS = {
  base: { rooms: [] },
  middle: { rooms: ['base'] },
  beside: { rooms: ['base'] },
  top: { rooms: ['base', 'middle'] },
}

test('layersOf: a room stands above everything that it may import', () => {
  assert.deepEqual(layersOf(ROOMS), [['base'], ['middle', 'beside'], ['top']])
})

test('arrowsOf: what follows from other imports is left out', () => {
  assert.deepEqual(arrowsOf(ROOMS), [
    ['middle', 'base'],
    ['beside', 'base'],
    ['top', 'middle'],
  ])
})

test('the picture of the rooms is current: npm run make:rooms', () => {
  assert.equal(readFileSync(PICTURE, 'utf8'), makePicture())
})
