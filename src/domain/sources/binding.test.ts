import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { toPublicId } from '../values/id.ts'
import {
  type Binding,
  type BindingChange,
  type BindingWish,
  bindingProblems,
  claimedResources,
  MAX_ECHOED,
  mergeBindings,
  nextRevision,
  shownChanges,
  sourceProblems,
  toResource,
  toResourceId,
  unknownResourceProblems,
} from './binding.ts'

const UUID = '019a0000-0000-7000-8000-000000000001'
const OTHER = '019a0000-0000-7000-8000-000000000002'
const ID = toPublicId('mon', UUID)
const OTHER_ID = toPublicId('sp', OTHER)

test('names of sources', () => {
  for (const good of ['shop', 'shop/upvane.yaml', 'git@example.com:shop', 'A-1._', 'x'.repeat(100)])
    assert.deepEqual(sourceProblems(good), [], good)
  for (const bad of [
    '',
    ' ',
    '..',
    '../..',
    '-a',
    'a b',
    'é',
    'a\nb',
    'a%2Fb',
    'x'.repeat(101),
    '<script>',
  ])
    assert.equal(sourceProblems(bad)[0]?.path, 'source', bad)
})

const wish = (fields: Partial<BindingWish> = {}): BindingWish => ({
  address: 'monitors.checkout',
  id: ID,
  ...fields,
})

// biome-ignore format: a table is read by its columns
const cases: [what: string, wishes: BindingWish[], paths: string[]][] = [
  ['nothing',                    [],                                               []],
  ['one',                        [wish()],                                         []],
  ['not created yet',            [wish({ id: null })],                             []],
  ['two, not created yet',       [wish({ id: null }), wish({ id: null, address: 'monitors.b' })], []],
  ['a key with dots',            [wish({ address: 'monitors.a.b' })],              []],
  ['no kind',                    [wish({ address: '.a' })],                        ['bindings.0.address']],
  ['no key',                     [wish({ address: 'monitors.' })],                 ['bindings.0.address']],
  ['no dot',                     [wish({ address: 'monitors' })],                  ['bindings.0.address']],
  ['a blank',                    [wish({ address: 'monitors.a b' })],              ['bindings.0.address']],
  ['a line break',               [wish({ address: 'monitors.a\nb' })],             ['bindings.0.address']],
  ['one address twice',          [wish(), wish({ id: OTHER_ID })],                 ['bindings.1.address']],
  ['one resource twice',         [wish(), wish({ address: 'monitors.b' })],        ['bindings.1.id']],
  ['no id',                      [wish({ id: 'mon_x' })],                          ['bindings.0.id']],
  ['an id of something else',    [wish({ id: toPublicId('inc', UUID) })],          ['bindings.0.id']],
  ['a digest',                   [wish({ digest: 'v1.c2FsdA.aGFzaA' })],           []],
  ['a digest of other letters',  [wish({ digest: 'é' })],                          ['bindings.0.digest']],
]

for (const [what, wishes, paths] of cases)
  test(`bindings: ${what}`, () => {
    assert.deepEqual(
      bindingProblems(wishes).map(({ path }) => path),
      paths,
    )
  })

test('resources are what a file can manage', () => {
  for (const prefix of ['mon', 'act', 'tag', 'sp', 'mw', 'whe'] as const) {
    const id = toPublicId(prefix, UUID)
    assert.deepEqual(toResource(id), { prefix, uuid: UUID })
    assert.equal(toResourceId({ prefix, uuid: UUID }), id)
  }
  assert.equal(toResource(toPublicId('key', UUID)), undefined)
})

test('revisions only grow, also when the clock goes back or the source is made again', () => {
  const now = new Date(1_794_696_000_000)
  assert.equal(nextRevision(0, now), now.getTime())
  assert.equal(nextRevision(now.getTime(), now), now.getTime() + 1)
  assert.equal(nextRevision(now.getTime() + 5000, now), now.getTime() + 5001)
})

const known: Binding = {
  address: 'monitors.checkout',
  resource: { prefix: 'mon', uuid: UUID },
  generation: 5,
  digest: 'd',
}

test('a new address gets the revision as its generation', () => {
  const { changed, removed } = mergeBindings([], [wish({ id: null })], 9)
  assert.deepEqual(changed, [
    { address: 'monitors.checkout', resource: null, generation: 9, digest: null },
  ])
  assert.deepEqual(removed, [])
})

test('what is left out is kept, and what is the same is not written', () => {
  assertNothing(mergeBindings([known], [wish()], 9))
  const [moved] = mergeBindings([known], [wish({ id: OTHER_ID })], 9).changed
  assert.deepEqual(moved, { ...known, resource: { prefix: 'sp', uuid: OTHER } })
  const [retyped] = mergeBindings([known], [wish({ id: toPublicId('tag', UUID) })], 9).changed
  assert.deepEqual(retyped, { ...known, resource: { prefix: 'tag', uuid: UUID } })
  const [cleared] = mergeBindings([known], [wish({ digest: null })], 9).changed
  assert.deepEqual(cleared, { ...known, digest: null })
})

test('the first id keeps the generation; a resource deleted on purpose gets a new one', () => {
  const planned = { ...known, resource: null }
  assert.equal(mergeBindings([planned], [wish()], 9).changed[0]?.generation, 5)
  assert.equal(mergeBindings([planned], [wish({ id: null })], 9).changed.length, 0)
  assert.equal(mergeBindings([known], [wish({ id: null })], 9).changed[0]?.generation, 9)
  const chosen = mergeBindings([known], [wish({ id: null, generation: 7 })], 9)
  assert.equal(chosen.changed[0]?.generation, 7)
})

function assertNothing({ changed, renewed, removed, added }: BindingChange): void {
  assert.deepEqual([changed, [...renewed], removed, added], [[], [], [], 0])
}

test('how many addresses are new, and which resources the source did not have', () => {
  const other = { ...known, address: 'monitors.b', resource: null }
  const wishes = [wish({ address: 'monitors.c' }), wish({ address: 'monitors.d', id: OTHER_ID })]
  const change = mergeBindings([known, other], wishes, 9)
  assert.deepEqual([change.added, change.removed.length], [2, 2])
  // The first moved to another address: it is not claimed.
  assert.deepEqual(claimedResources([known, other], change), [
    { prefix: 'sp', uuid: OTHER, address: 'monitors.d' },
  ])
  const retyped = mergeBindings([known], [wish({ id: toPublicId('tag', UUID) })], 9)
  assert.equal(claimedResources([known], retyped)[0]?.prefix, 'tag')
  assert.deepEqual(unknownResourceProblems(wishes, new Set(['monitors.d'])), [
    { path: 'bindings.1.id', message: 'is not a resource of this organization' },
  ])
})

test('a response repeats up to 100 changes; of more only what got a generation, without digests', () => {
  const many = Array.from({ length: MAX_ECHOED + 1 }, (_, at) =>
    wish({ address: `monitors.a${at}`, id: null, digest: 'secret' }),
  )
  const few = mergeBindings([], many.slice(1), 9)
  assert.deepEqual(shownChanges(few), few.changed)
  const first = mergeBindings([], many, 9)
  assert.equal(shownChanges(first).length, MAX_ECHOED + 1)
  assert.ok(
    shownChanges(first).every(({ digest, generation }) => digest === null && generation === 9),
  )
  const again = mergeBindings(
    first.changed,
    many.map((one) => ({ ...one, digest: 'other' })),
    10,
  )
  assert.equal(again.changed.length, MAX_ECHOED + 1)
  assert.deepEqual(shownChanges(again), [])
})

test('an address that is left out is removed', () => {
  const other = { ...known, address: 'monitors.b', resource: null }
  const { changed, removed } = mergeBindings([known, other], [wish()], 9)
  assert.deepEqual([changed, removed], [[], ['monitors.b']])
})

const POOL = Array.from({ length: 5 }, (_, at) =>
  toPublicId('mon', `019a0000-0000-7000-8000-00000000001${at}`),
)
const step = fc.uniqueArray(
  fc.record({
    address: fc.constantFrom('monitors.a', 'monitors.b', 'monitors.c'),
    at: fc.option(fc.nat(POOL.length - 1)),
  }),
  { selector: ({ address }) => address },
)

test('however a source changes: writing it again changes nothing, and no creation repeats a generation', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 12 }), (steps) => {
      let known: Binding[] = []
      const used = new Set<string>()
      steps.forEach((wished, index) => {
        const revision = index + 1
        const wishes = wished.map(({ address, at }) => ({
          address,
          id: at === null ? null : (POOL[at] ?? null),
        }))
        const { changed, removed } = mergeBindings(known, wishes, revision)
        for (const { address, generation } of changed.filter((one) => isStart(known, one))) {
          const start = `${address} ${generation}`
          assert.ok(!used.has(start), start)
          used.add(start)
        }
        const gone = new Set([...removed, ...changed.map(({ address }) => address)])
        known = [...known.filter(({ address }) => !gone.has(address)), ...changed]
        assert.deepEqual(known.map(({ address }) => address).toSorted(), addressesOf(wishes))
        assertNothing(mergeBindings(known, wishes, revision + 1))
      })
    }),
  )
})

const addressesOf = (wishes: readonly BindingWish[]) =>
  wishes.map(({ address }) => address).toSorted()

/** Whether a resource is to be created that was not before. */
function isStart(known: readonly Binding[], { address, resource }: Binding): boolean {
  const old = known.find((one) => one.address === address)
  return old === undefined || (old.resource !== null && resource === null)
}
