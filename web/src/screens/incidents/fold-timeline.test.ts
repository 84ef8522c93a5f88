import assert from 'node:assert/strict'
import { test } from 'node:test'
import { foldTimeline } from './fold-timeline.ts'

const LETTERS: Record<string, string> = {
  f: 'FAILED',
  c: 'CONFIRMED',
  o: 'OPENED',
  a: 'ALERT',
  w: 'WEBHOOK',
  s: 'STILL_FAILING',
  k: 'ACKNOWLEDGED',
  n: 'NOTE',
  r: 'RESOLVED',
}

/** `fcoaaw` -> `f c o a×2 w`. */
function fold(text: string): string {
  const lines = [...text].map((letter) => ({ letter, type: LETTERS[letter] ?? '' }))
  return foldTimeline(lines)
    .map((entry) => {
      const letters = new Set(entry.map(({ letter }) => letter))
      return entry.length === 1 ? [...letters].join('') : `${[...letters].join('')}×${entry.length}`
    })
    .join(' ')
}

// biome-ignore format: a table is read by its columns
const rows: [lines: string, folded: string][] = [
  ['',                       ''],
  ['fco',                    'f c o'],
  ['foa',                    'f o a'],
  ['fcoaaawaw',              'f c o a×4 w×2'],
  ['oawawkwraw',             'o a×2 w×2 k w r a w'],
  ['oaasasas',               'o a×4 s×3'],
  ['oaanaa',                 'o a×2 n a×2'],
  ['nnn',                    'n n n'],
]
for (const [lines, folded] of rows)
  test(`timeline ${lines} is shown as ${folded}`, () => {
    assert.equal(fold(lines), folded)
  })

test('an entry is where its first line was, and keeps the order of its lines', () => {
  const lines = ['OPENED', 'WEBHOOK', 'ALERT', 'WEBHOOK'].map((type, id) => ({ id, type }))
  assert.deepEqual(
    foldTimeline(lines).map((entry) => entry.map(({ id }) => id)),
    [[0], [1, 3], [2]],
  )
})
