import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { fromPublicId, toPublicId, uuidV7 } from './id.ts'

const random = new Uint8Array(8).fill(0xab)
const uuid = fc.uuid()

test('a public id decodes to the UUID it was made from', () => {
  fc.assert(fc.property(uuid, (id) => assert.equal(fromPublicId('mon', toPublicId('mon', id)), id)))
})

test('a public id has its prefix and 26 characters', () => {
  assert.equal(
    toPublicId('mon', '019aa000-0000-7000-8000-000000000000'),
    'mon_01kag00000e008000000000000',
  )
  assert.match(toPublicId('evt', 'ffffffff-ffff-ffff-ffff-ffffffffffff'), /^evt_7z{25}$/)
})

test('public ids sort as their UUIDs do', () => {
  fc.assert(
    fc.property(uuid, uuid, (a, b) =>
      assert.equal(toPublicId('evt', a) < toPublicId('evt', b), a < b),
    ),
  )
})

// biome-ignore format: a table is read by its columns
const strangers: [why: string, id: string][] = [
  ['another kind',        toPublicId('inc', '019aa000-0000-7000-8000-000000000000')],
  ['upper case',          `mon_${'A'.repeat(26)}`],
  ['too short',           `mon_${'0'.repeat(25)}`],
  ['too long',            `mon_${'0'.repeat(27)}`],
  ['more than 128 bits',  `mon_8${'0'.repeat(25)}`],
  ['letter not in use',   `mon_${'0'.repeat(25)}u`],
  ['nothing',             ''],
  ['NUL',                 'mon_\0'],
]
for (const [why, id] of strangers) {
  test(`an id that never was one of ours is not decoded: ${why}`, () => {
    assert.equal(fromPublicId('mon', id), undefined)
  })
}

test('UUIDv7 carries version, variant and the time', () => {
  const id = uuidV7({ unixMicros: 1_794_695_940_000_123n, sequence: 5, random })
  assert.match(id, /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  assert.equal(BigInt(`0x${id.replaceAll('-', '').slice(0, 12)}`), 1_794_695_940_000n)
})

test('ids sort by microsecond, then by sequence, whatever the random part', () => {
  const seed = fc.record({
    unixMicros: fc.bigInt({ min: 1_700_000_000_000_000n, max: 1_900_000_000_000_000n }),
    sequence: fc.integer({ min: 0, max: 0x3fff }),
    random: fc.uint8Array({ minLength: 8, maxLength: 8 }),
  })
  fc.assert(
    fc.property(seed, seed, (a, b) => {
      if (a.unixMicros === b.unixMicros && a.sequence === b.sequence) return
      const before =
        a.unixMicros === b.unixMicros ? a.sequence < b.sequence : a.unixMicros < b.unixMicros
      assert.equal(uuidV7(a) < uuidV7(b), before)
    }),
  )
})
