import assert from 'node:assert/strict'
import { test } from 'node:test'
import { deletionRefusal, eraseAtOf, isConfirmedBy, undoRefusal } from './organization-deletion.ts'

const NOW = new Date('2026-11-16T10:00:00.000Z')
const at = (ms: number) => new Date(NOW.getTime() + ms)

test('erased seven days later, to the millisecond', () => {
  assert.equal(eraseAtOf(NOW).toISOString(), '2026-11-23T10:00:00.000Z')
})

// biome-ignore format: a table is read by its columns
const TYPED: [typed: string, name: string, isConfirmed: boolean][] = [
  ['Acme',            'Acme',            true],
  ['  Acme ',         'Acme',            true],
  ['acme',            'Acme',            false],
  ['Acm',             'Acme',            false],
  ['',                'Acme',            false],
  ['Acme Inc',        'Acme',            false],
  // The same letter, once as one character and once as two.
  ['Cafe\u0301',      'Caf\u00e9',       true],
  ['Кафе',            'Kaфe',            false],
]
for (const [typed, name, isConfirmed] of TYPED)
  test(`“${typed}” ${isConfirmed ? 'confirms' : 'does not confirm'} “${name}”`, () => {
    assert.equal(isConfirmedBy(typed, name), isConfirmed)
  })

test('a deletion is requested once', () => {
  assert.equal(deletionRefusal({ eraseAt: null }), undefined)
  assert.match(deletionRefusal({ eraseAt: at(1) }) ?? '', /already being deleted/)
})

// biome-ignore format: a table is read by its columns
const UNDONE: [name: string, eraseAt: Date | null, refusal: RegExp | undefined][] = [
  ['nothing to undo',        null,                          /not being deleted/],
  ['a day left',             at(86_400_000),                undefined],
  ['a millisecond left',     at(1),                         undefined],
  ['the moment itself',      at(0),                         /already being erased/],
  ['later',                  at(-1),                        /already being erased/],
]
for (const [name, eraseAt, refusal] of UNDONE)
  test(`undo: ${name}`, () => {
    const found = undoRefusal({ eraseAt }, NOW)
    if (refusal === undefined) assert.equal(found, undefined)
    else assert.match(found ?? '', refusal)
  })
