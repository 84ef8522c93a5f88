import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as structure from './structure.ts'

const component = (key: string) => ({
  key,
  id: key,
  name: key,
  description: null,
  monitorId: null,
})
const section = (key: string, ...keys: string[]) => ({
  key,
  id: key,
  name: key,
  collapsed: false,
  components: keys.map(component),
})
const PAGE = [section('A', 'a', 'b'), section('B', 'c'), section('C')]
const keys = (page: structure.Structure) =>
  page.map((one) => `${one.key}:${one.components.map(({ key }) => key).join('')}`).join(' ')

type Row = [string, 1 | -1, string]
// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // key  by  result
  ['a',   1, 'A:ba B:c C:'],
  ['b',  -1, 'A:ba B:c C:'],
  ['b',   1, 'A:a B:bc C:'], // past the edge: first of the next section
  ['c',  -1, 'A:abc B: C:'], // and last of the previous one
  ['c',   1, 'A:ab B: C:c'],
  ['a',  -1, 'A:ab B:c C:'], // already first
  ['x',   1, 'A:ab B:c C:'],
]
for (const [key, by, becomes] of rows)
  test(`moveComponent ${key} by ${by} -> ${becomes}`, () => {
    assert.equal(keys(structure.moveComponent(PAGE, key, by)), becomes)
  })

test('a component is put anywhere, in its own section too', () => {
  const place = (section: number, index: number) =>
    keys(structure.moveTo(PAGE, 'a', { section, index }))
  assert.equal(place(1, 1), 'A:b B:ca C:')
  assert.equal(place(0, 1), 'A:ba B:c C:')
  assert.equal(place(9, 0), 'A:ab B:c C:')
})

test('sections move, and stay at the edge', () => {
  assert.equal(keys(structure.moveSection(PAGE, 'A', 1)), 'B:c A:ab C:')
  assert.equal(keys(structure.moveSection(PAGE, 'A', -1)), 'A:ab B:c C:')
  assert.equal(keys(structure.moveSectionTo(PAGE, 'A', 2)), 'B:c C: A:ab')
})

test('what is new is sent without an id, what is kept with it; a state only where it was set', () => {
  const added = { key: 'new-1', name: null, description: null, monitorId: 'mon_1' }
  const byHand = structure.changeComponent(PAGE, 'c', { manualState: 'DEGRADED' })
  const sent = structure.toInput(structure.addComponents(byHand, 'C', [added]))
  assert.deepEqual(sent[2]?.components, [{ name: null, description: null, monitorId: 'mon_1' }])
  assert.deepEqual(sent[1]?.components, [
    { id: 'c', name: 'c', description: null, monitorId: null, manualState: 'DEGRADED' },
  ])
  assert.ok(structure.isSame(PAGE, structure.changeComponent(PAGE, 'c', {})))
  assert.ok(!structure.isSame(PAGE, byHand))
})

test('a component that goes by the name of its monitor is sent back without one', () => {
  const monitor = { name: 'Checkout', type: 'HTTP', state: 'UP' } as const
  const read = {
    id: 'cmp_1',
    name: 'Checkout',
    ownName: null,
    description: null,
    monitorId: 'mon_1',
    monitor,
    manualState: null,
    state: 'OPERATIONAL',
  } as const
  const section = { id: 'sec_1', name: null, collapsed: false, components: [read], tag: null }
  const page = { sections: [section] }
  const made = structure.structureOf(page)
  assert.deepEqual(made[0]?.components[0]?.monitor, monitor)
  assert.deepEqual(structure.toInput(made)[0]?.components, [
    { id: 'cmp_1', name: null, description: null, monitorId: 'mon_1' },
  ])
})

test('what was taken off comes back where it was, whatever happened since', () => {
  const [taken] = PAGE[0]?.components ?? []
  assert.ok(taken)
  const without = structure.removeComponent(PAGE, 'a')
  const back = (now: structure.Structure, section: string) =>
    keys(structure.restoreComponent(now, taken, { section, index: 0 }))
  assert.equal(back(without, 'A'), 'A:ab B:c C:')
  assert.equal(back(structure.moveSection(without, 'A', 1), 'A'), 'B:c A:ab C:')
  assert.equal(back(without, 'gone'), 'A:b B:c C:a')
})
