import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPublicId } from '../values/id.ts'
import { type ArrangeContext, arrange, type Contents, sectionsDiffer } from './sections.ts'
import type { Section, ShownComponent } from './status-page.ts'

const uuid = (n: number) => `01940000-0000-7000-8000-${String(n).padStart(12, '0')}`
const sec = (n: number) => toPublicId('sec', uuid(n))
const cmp = (n: number) => toPublicId('cmp', uuid(n))
const mon = (n: number) => toPublicId('mon', uuid(n))

const MONITORS = [101, 102, 103].map(uuid)
const shown = (n: number, fields: Partial<ShownComponent> = {}): ShownComponent => ({
  uuid: uuid(n),
  name: null,
  description: null,
  monitorUuid: null,
  manualState: null,
  monitorName: null,
  monitorType: null,
  monitorState: null,
  inWindow: false,
  incidentStates: [],
  ...fields,
})
const monitored = (n: number, monitor: number, fields: Partial<ShownComponent> = {}) =>
  shown(n, { monitorUuid: uuid(monitor), monitorName: `Monitor ${monitor}`, ...fields })

const stored = (component: ShownComponent) => {
  const { uuid: id, name, description, monitorUuid, manualState } = component
  return { uuid: id, name, description, monitorUuid, manualState }
}

const follower = monitored(11, 101)
const named = monitored(12, 102, { name: 'Checkout', description: 'Carts' })
const byHand = shown(13, { name: 'Phone', manualState: 'DEGRADED' })
const page = (): Section<ShownComponent>[] => [
  { uuid: uuid(1), name: 'Shop', collapsed: true, components: [follower, named] },
  { uuid: uuid(2), name: null, collapsed: false, components: [byHand] },
]

function arranged(contents: Contents, sections = page()) {
  let next = 900
  const known: ArrangeContext = {
    sections,
    monitorUuids: new Set(MONITORS),
    newUuid: () => uuid(next++),
  }
  const outcome = arrange(contents, known)
  assert.ok(outcome)
  return { ...outcome, paths: outcome.problems.map(({ path }) => path) }
}

test('nothing sent: nothing said', () => {
  const known: ArrangeContext = {
    sections: page(),
    monitorUuids: new Set(),
    newUuid: () => uuid(0),
  }
  assert.equal(arrange({}, known), undefined)
})

test('sections as they are read change nothing', () => {
  const sections = [
    {
      id: sec(1),
      name: 'Shop',
      collapsed: true,
      components: [
        { id: cmp(11), name: 'Monitor 101', description: null, monitorId: mon(101) },
        { id: cmp(12), name: 'Checkout', description: 'Carts', monitorId: mon(102) },
      ],
    },
    {
      id: sec(2),
      name: null,
      collapsed: false,
      components: [{ id: cmp(13), name: 'Phone', description: null, monitorId: null }],
    },
  ]
  const outcome = arranged({ sections })
  assert.deepEqual(outcome.problems, [])
  assert.equal(sectionsDiffer(page(), outcome.sections), false)
})

test('what a kept entry leaves out stays; a new one has defaults', () => {
  const outcome = arranged({
    sections: [
      { id: sec(1) },
      { id: sec(2), name: 'Help', components: [{ id: cmp(13), description: 'Nights too' }] },
      { components: [{ monitorId: mon(103) }, { name: 'Fax' }] },
    ],
  })
  assert.deepEqual(outcome.problems, [])
  const plain = { name: null, description: null, monitorUuid: null, manualState: null }
  assert.deepEqual(outcome.sections, [
    { uuid: uuid(1), name: 'Shop', collapsed: true, components: [follower, named].map(stored) },
    {
      uuid: uuid(2),
      name: 'Help',
      collapsed: false,
      components: [{ ...stored(byHand), description: 'Nights too' }],
    },
    {
      uuid: uuid(900),
      name: null,
      collapsed: false,
      components: [
        { ...plain, uuid: uuid(901), monitorUuid: uuid(103) },
        { ...plain, uuid: uuid(902), name: 'Fax' },
      ],
    },
  ])
})

test('a component moves to another section with its id, also out of one that is only named', () => {
  const outcome = arranged({
    sections: [{ id: sec(2), components: [{ id: cmp(13) }, { id: cmp(11) }] }, { id: sec(1) }],
  })
  assert.deepEqual(outcome.problems, [])
  assert.deepEqual(
    outcome.sections.map(({ components }) => components.map((component) => component.uuid)),
    [[uuid(13), uuid(11)], [uuid(12)]],
  )
})

test('what is not named goes', () => {
  assert.deepEqual(arranged({ sections: [] }).sections, [])
  const [only] = arranged({ sections: [{ id: sec(1), components: [] }] }).sections
  assert.deepEqual(only?.components, [])
})

// biome-ignore format: a table is read by its columns
const names: [sent: string | null | undefined, monitorId: string | null, stored: string | null][] = [
  [undefined,     mon(101), null],
  ['Monitor 101', mon(101), null], // read and sent back: it keeps following
  ['Monitor 101', mon(103), null],
  ['Monitor 101', null,     'Monitor 101'], // nothing left to follow
  ['Shop',        mon(101), 'Shop'],
  [null,          mon(101), null],
]
for (const [sent, monitorId, kept] of names)
  test(`name of a component that follows its monitor: ${sent} with ${monitorId && 'a monitor'} -> ${kept}`, () => {
    const component = { id: cmp(11), monitorId, ...(sent !== undefined && { name: sent }) }
    const outcome = arranged({ sections: [{ components: [component] }] })
    assert.deepEqual(outcome.problems, [])
    assert.equal(outcome.sections[0]?.components[0]?.name, kept)
  })

test('a name of its own can be given up, and a monitor can take over from a hand', () => {
  const components = [
    { id: cmp(12), name: null },
    { id: cmp(13), monitorId: mon(103) },
  ]
  const [section] = arranged({ sections: [{ components }] }).sections
  assert.equal(section?.components[0]?.name, null)
  assert.deepEqual(section?.components[1], {
    ...stored(byHand),
    monitorUuid: uuid(103),
    manualState: null,
  })
})

const unknown: [what: string, contents: Contents, paths: string[]][] = [
  ['a section that is none', { sections: [{}, { id: sec(9) }] }, ['sections.1.id']],
  ['an id of another kind', { sections: [{ id: cmp(11) }] }, ['sections.0.id']],
  [
    'a component that is none',
    { sections: [{ components: [{ name: 'A' }, { id: cmp(99), name: 'B' }] }] },
    ['sections.0.components.1.id'],
  ],
  [
    'a monitor nobody here has',
    { sections: [{ components: [{ monitorId: mon(999) }] }] },
    ['sections.0.components.0.monitorId'],
  ],
  [
    'a monitor id that is none',
    { sections: [{ components: [{ monitorId: 'x' }] }] },
    ['sections.0.components.0.monitorId'],
  ],
  [
    'neither a monitor nor a name',
    { sections: [{ components: [{}, { id: cmp(11), monitorId: null }] }] },
    ['sections.0.components.0.name', 'sections.0.components.1.name'],
  ],
  [
    'a state by hand beside a monitor',
    { sections: [{ components: [{ id: cmp(11), manualState: 'DEGRADED' }] }] },
    ['sections.0.components.0.manualState'],
  ],
  ['short form', { monitorIds: [mon(101), 'x', mon(999)] }, ['monitorIds.1', 'monitorIds.2']],
]
for (const [what, contents, paths] of unknown)
  test(`refused: ${what}`, () => assert.deepEqual(arranged(contents).paths, paths))

test('200 components are the most, those that are only kept count too', () => {
  const many = Array.from({ length: 199 }, (_, n) => shown(1000 + n, { name: `N ${n}` }))
  const full = [{ uuid: uuid(1), name: null, collapsed: false, components: many }]
  const more = (n: number) => ({
    sections: [{ id: sec(1) }, { components: Array.from({ length: n }, () => ({ name: 'New' })) }],
  })
  assert.deepEqual(arranged(more(1), full).paths, [])
  assert.deepEqual(arranged(more(2), full).paths, ['sections'])
})

test('short form: one unnamed section; components of those monitors keep their ids', () => {
  const monitorIds = [mon(103), mon(102), mon(101), mon(101)]
  const { sections, problems } = arranged({ monitorIds })
  assert.deepEqual(problems, [])
  assert.deepEqual(
    sections.map(({ uuid: id, name, collapsed }) => ({ id, name, collapsed })),
    [{ id: uuid(2), name: null, collapsed: false }],
  )
  assert.deepEqual(
    sections[0]?.components.map((component) => [component.uuid, component.monitorUuid]),
    [
      [uuid(900), uuid(103)],
      [uuid(12), uuid(102)],
      [uuid(11), uuid(101)],
      [uuid(901), uuid(101)],
    ],
  )
  const again = sections.map(({ components, ...section }) => ({
    ...section,
    components: components.map((component) => ({ ...shown(0), ...component })),
  }))
  assert.equal(sectionsDiffer(again, arranged({ monitorIds }, again).sections), false)
})
