// What a status page contains, how it is written, and which states it shows.
import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { toId, toUuid } from '../kit/ids.ts'
import { type Component, type StatusPage, toIncident, toPage } from '../kit/status-shapes.ts'

const fixture = await startProduct()
const { api, db } = fixture
const other = await fixture.createOrganization()
after(() => fixture.stop())

const PATH = '/status-pages'
const create = (fields: Record<string, unknown>) =>
  api.post(PATH, { name: `Page ${randomUUID()}`, ...fields })
const made = async (fields: Record<string, unknown>) => toPage(await create(fields))
const patch = (id: string, fields: unknown) => api.patch(`${PATH}/${id}`, fields)
const patched = async (id: string, fields: unknown) => toPage(await patch(id, fields))
const read = async (id: string) => toPage(await api.get(`${PATH}/${id}`))
const monitor = (name = 'Monitor') => api.createMonitor({ name })

const componentsOf = ({ sections }: StatusPage): Component[] =>
  sections.flatMap(({ components }) => components)
const componentId = (page: StatusPage, n = 0) => componentsOf(page)[n]?.id ?? ''
const sectionId = ({ sections }: StatusPage, n = 0) => sections[n]?.id ?? ''
const layout = ({ sections }: StatusPage) =>
  sections.map(({ id, components }) => [id, components.map((component) => component.id)])

describe('sections', { concurrency: 8 }, () => {
  test('createStatusPage 201: sections and components in their order, with defaults', async () => {
    const { id: monitorId } = await monitor('Website')
    const page = await made({
      sections: [
        {
          name: 'Shop',
          collapsed: true,
          components: [
            { monitorId },
            { name: 'Checkout', description: 'Carts', monitorId },
            { name: 'Phone', manualState: 'DEGRADED' },
            { name: 'Fax' },
          ],
        },
        {},
        { name: null, components: [] },
      ],
    })
    const shown = page.sections.map(({ name, collapsed, components }) => ({
      name,
      collapsed,
      components: components.map(({ id, ...component }) => {
        assert.ok(id)
        return component
      }),
    }))
    const state = 'UNKNOWN'
    assert.deepEqual(shown, [
      {
        name: 'Shop',
        collapsed: true,
        components: [
          { name: 'Website', description: null, monitorId, state },
          { name: 'Checkout', description: 'Carts', monitorId, state },
          { name: 'Phone', description: null, monitorId: null, state: 'DEGRADED' },
          { name: 'Fax', description: null, monitorId: null, state: 'OPERATIONAL' },
        ],
      },
      { name: null, collapsed: false, components: [] },
      { name: null, collapsed: false, components: [] },
    ])
    assert.deepEqual(await read(page.id), page)
  })

  test('updateStatusPage 200: known ids are kept, those without are new, missing ones go', async () => {
    const page = await made({
      sections: [
        { name: 'One', components: [{ name: 'A' }, { name: 'B' }] },
        { name: 'Two', components: [{ name: 'C' }] },
      ],
    })
    const [one, a, b, c] = [sectionId(page), ...[0, 1, 2].map((n) => componentId(page, n))]
    const after = await patched(page.id, {
      sections: [
        { name: 'New', components: [{ name: 'D' }] },
        { id: one, name: 'First', components: [{ id: b, name: 'B2' }, { name: 'E' }] },
      ],
    })
    assert.deepEqual(
      after.sections.map(({ name }) => name),
      ['New', 'First'],
    )
    assert.equal(sectionId(after, 1), one)
    assert.deepEqual(
      componentsOf(after).map(({ name }) => name),
      ['D', 'B2', 'E'],
    )
    assert.equal(componentId(after, 1), b)
    const ids = componentsOf(after).map(({ id }) => id)
    assert.ok(![a, c].some((gone) => ids.includes(gone ?? '')))
    assert.ok(after.updatedAt > page.updatedAt)
    assert.deepEqual((await patched(page.id, { sections: [] })).sections, [])
  })

  test('updateStatusPage 200: components move between sections with their ids, also when theirs goes', async () => {
    const page = await made({
      sections: [
        { name: 'One', components: [{ name: 'A' }, { name: 'B' }] },
        { name: 'Two', components: [{ name: 'C', manualState: 'DEGRADED' }] },
      ],
    })
    const [one, two] = page.sections.map(({ id }) => id)
    const [a, b, c] = componentsOf(page).map(({ id }) => id)
    const swapped = await patched(page.id, {
      sections: [
        { id: two, components: [{ id: b }, { id: c }] },
        { id: one, components: [{ id: a }] },
      ],
    })
    assert.deepEqual(layout(swapped), [
      [two, [b, c]],
      [one, [a]],
    ])
    assert.deepEqual(componentsOf(swapped)[1], componentsOf(page)[2])
    const merged = await patched(page.id, {
      sections: [{ id: one, components: [{ id: c }, { id: a }, { id: b }] }],
    })
    assert.deepEqual(layout(merged), [[one, [c, a, b]]])
    assert.equal(componentsOf(merged)[0]?.state, 'DEGRADED')
  })

  test('updateStatusPage 200: what a kept entry leaves out stays', async () => {
    const { id: monitorId } = await monitor('Followed')
    const page = await made({
      sections: [
        {
          name: 'One',
          collapsed: true,
          components: [
            { monitorId, description: 'D' },
            { name: 'Phone', manualState: 'MAINTENANCE' },
          ],
        },
      ],
    })
    const [section] = page.sections
    const ids = componentsOf(page).map(({ id }) => ({ id }))
    for (const kept of [{ id: section?.id }, { id: section?.id, components: ids }])
      assert.deepEqual(await patched(page.id, { sections: [kept] }), page)
    const renamed = await patched(page.id, { sections: [{ id: section?.id, name: 'Two' }] })
    assert.deepEqual(renamed.sections, [{ ...section, name: 'Two' }])
  })

  test('updateStatusPage 200: read, and sent back as it is, changes nothing; the name keeps following', async () => {
    const { id: monitorId } = await monitor('First name')
    const page = await made({
      sections: [{ components: [{ monitorId }, { name: 'Own', monitorId }, { name: 'Hand' }] }],
    })
    const [section] = page.sections
    const [, , hand] = componentsOf(page)
    const components = [
      ...(section?.components.slice(0, 2) ?? []),
      { ...hand, manualState: 'DEGRADED' },
    ]
    await patch(page.id, { sections: [{ ...section, components }] })
    const before = await read(page.id)
    assert.deepEqual(await patched(page.id, before), before)
    assert.equal(componentsOf(before)[2]?.state, 'DEGRADED')

    await api.patch(`/monitors/${monitorId}`, { name: 'Second name' })
    assert.deepEqual(
      componentsOf(await read(page.id)).map(({ name }) => name),
      ['Second name', 'Own', 'Hand'],
    )
    const [, own] = componentsOf(before)
    const followed = await patched(page.id, {
      sections: [{ components: [{ id: own?.id, name: null }] }],
    })
    assert.equal(componentsOf(followed)[0]?.name, 'Second name')
  })

  test('createStatusPage: 200 components and 50 sections fit, one more does not', async () => {
    const components = (n: number) => Array.from({ length: n }, (_, i) => ({ name: `C ${i}` }))
    const full = await made({
      sections: [{ components: components(150) }, { components: components(50) }],
    })
    assert.equal(componentsOf(full).length, 200)
    const [first] = full.sections
    const sections = [{ components: components(150) }, { components: components(51) }]
    assert.deepEqual((await create({ sections })).paths, ['sections'])
    assert.deepEqual((await create({ sections: [{ components: components(201) }] })).paths, [
      'sections.0.components',
    ])
    // Components of a section that is only referenced count too.
    const more = [{ id: first?.id }, { components: components(51) }]
    assert.deepEqual((await patch(full.id, { sections: more })).paths, ['sections'])
    const many = Array.from({ length: 50 }, () => ({}))
    assert.equal((await made({ sections: many })).sections.length, 50)
    assert.deepEqual((await create({ sections: [...many, {}] })).paths, ['sections'])
    assert.deepEqual(await read(full.id), full)
  })

  test('create and updateStatusPage 400: unknown and foreign ids, each with its path and the same words', async () => {
    const page = await made({ sections: [{ components: [{ name: 'A' }] }] })
    const sibling = await made({ sections: [{ components: [{ name: 'B' }] }] })
    const foreignMonitor = (await other.api.createMonitor()).id
    const contents = { sections: [{ components: [{ name: 'X' }] }] }
    const foreign = toPage(await other.api.post(PATH, { name: randomUUID(), ...contents }))
    const unknown = (prefix: string) => toId(prefix, randomUUID())
    const own = { section: sectionId(page), component: componentId(page) }
    const groups: [path: string, bodies: unknown[]][] = [
      [
        'sections.1.id',
        [unknown('sec'), sectionId(foreign), sectionId(sibling), own.component, 'x'].map((id) => [
          { id: own.section },
          { id },
        ]),
      ],
      [
        'sections.0.components.1.id',
        [unknown('cmp'), componentId(foreign), componentId(sibling), own.section].map((id) => [
          { components: [{ name: 'A' }, { id, name: 'B' }] },
        ]),
      ],
      [
        'sections.0.components.2.monitorId',
        [unknown('mon'), foreignMonitor, page.id, 'x'].map((monitorId) => [
          { components: [{ name: 'A' }, { name: 'B' }, { monitorId }] },
        ]),
      ],
    ]
    for (const [path, bodies] of groups) {
      const answers = await Promise.all(bodies.map((sections) => patch(page.id, { sections })))
      for (const answer of answers) {
        assert.deepEqual([answer.code, ...answer.paths], ['validation_error', path])
        assert.deepEqual(answer.error.details, answers[0]?.error.details)
      }
    }
    assert.deepEqual(await read(page.id), page)
    const ids = [{ id: own.section, components: [{ id: own.component, name: 'A' }] }]
    const copied = await create({ sections: ids })
    assert.deepEqual(copied.paths, ['sections.0.id', 'sections.0.components.0.id'])
    const created = await create({ sections: [{ components: [{ monitorId: foreignMonitor }] }] })
    assert.deepEqual(created.paths, ['sections.0.components.0.monitorId'])
  })

  const long = (n: number) => 'x'.repeat(n)
  const rows: [what: string, section: unknown, path: string][] = [
    ['a section that is text', 'x', 'sections.0'],
    ['a section name of 121', { name: long(121) }, 'sections.0.name'],
    ['collapsed as text', { collapsed: 'no' }, 'sections.0.collapsed'],
    ['collapsed of null', { collapsed: null }, 'sections.0.collapsed'],
    ['components of null', { components: null }, 'sections.0.components'],
    ['an empty name', { components: [{ name: '' }] }, 'sections.0.components.0.name'],
    ['a name of 121', { components: [{ name: long(121) }] }, 'sections.0.components.0.name'],
    [
      'a description of 501',
      { components: [{ name: 'A', description: long(501) }] },
      'sections.0.components.0.description',
    ],
    ['neither name nor monitor', { components: [{}] }, 'sections.0.components.0.name'],
    [
      'null for both',
      { components: [{ name: null, monitorId: null }] },
      'sections.0.components.0.name',
    ],
    [
      'another state',
      { components: [{ name: 'A', manualState: 'UP' }] },
      'sections.0.components.0.manualState',
    ],
    [
      'a state of null',
      { components: [{ name: 'A', manualState: null }] },
      'sections.0.components.0.manualState',
    ],
  ]
  for (const [what, section, path] of rows)
    test(`create and updateStatusPage 400: ${what}, path ${path}`, async () => {
      const created = await create({ sections: [section] })
      assert.deepEqual([created.code, ...new Set(created.paths)], ['validation_error', path])
      const page = await made({})
      assert.deepEqual([...new Set((await patch(page.id, { sections: [section] })).paths)], [path])
    })

  test('create and updateStatusPage 400: a state by hand beside a monitor, an id twice', async () => {
    const { id: monitorId } = await monitor()
    const page = await made({ sections: [{ components: [{ monitorId }, { name: 'A' }] }] })
    const [section] = page.sections
    const [followed, a] = componentsOf(page)
    const both = { sections: [{ components: [{ monitorId, manualState: 'DEGRADED' }] }] }
    assert.deepEqual((await create(both)).paths, ['sections.0.components.0.manualState'])
    const kept = [{ components: [{ id: followed?.id, manualState: 'DEGRADED' }] }]
    assert.deepEqual((await patch(page.id, { sections: kept })).paths, [
      'sections.0.components.0.manualState',
    ])
    const twice = [
      { id: section?.id, components: [{ id: a?.id }, { id: a?.id }] },
      { id: section?.id },
    ]
    assert.deepEqual((await patch(page.id, { sections: twice })).paths, [
      'sections.0.components.1.id',
      'sections.1.id',
    ])
  })
})

describe('monitorIds', { concurrency: 8 }, () => {
  test('create and updateStatusPage: one unnamed section with these monitors in order', async () => {
    const [a, b, c] = [(await monitor('A')).id, (await monitor('B')).id, (await monitor('C')).id]
    const page = await made({ monitorIds: [b, a] })
    assert.deepEqual(
      page.sections.map(({ name, collapsed }) => [name, collapsed]),
      [[null, false]],
    )
    assert.deepEqual(
      componentsOf(page).map(({ name, monitorId }) => [name, monitorId]),
      [
        ['B', b],
        ['A', a],
      ],
    )
    // Components of those monitors keep their ids, because incidents and badges refer to them.
    const [ofB, ofA] = componentsOf(page).map(({ id }) => id)
    const more = await patched(page.id, { monitorIds: [a, c, b] })
    assert.equal(more.sections[0]?.id, page.sections[0]?.id)
    assert.deepEqual(
      componentsOf(more).map(({ id }) => id === ofA || id === ofB),
      [true, false, true],
    )
    assert.deepEqual(await patched(page.id, { monitorIds: [a, c, b] }), more)
    assert.deepEqual(componentsOf(await patched(page.id, { monitorIds: [] })), [])
  })

  test('create and updateStatusPage 400: not with sections, not with unknown or foreign monitors, not over 200', async () => {
    const { id } = await monitor()
    const foreign = (await other.api.createMonitor()).id
    const page = await made({})
    for (const ask of [create, (fields: Record<string, unknown>) => patch(page.id, fields)]) {
      assert.deepEqual((await ask({ monitorIds: [id], sections: [] })).paths, ['monitorIds'])
      const unknown = await ask({ monitorIds: [id, foreign, toId('mon', randomUUID()), 'x'] })
      assert.deepEqual(unknown.paths, ['monitorIds.1', 'monitorIds.2', 'monitorIds.3'])
      const words = unknown.error.details?.map(({ message }) => message)
      assert.equal(new Set(words).size, 1)
      const many = Array.from({ length: 201 }, () => id)
      assert.deepEqual((await ask({ monitorIds: many })).paths, ['monitorIds'])
    }
  })
})

describe('a monitor that goes', { concurrency: 4 }, () => {
  test('deleteMonitor: its components go with it, from pages and published incidents; the rest stays', async () => {
    const [gone, stays] = [(await monitor('Gone')).id, (await monitor('Stays')).id]
    const page = await made({ monitorIds: [gone, stays] })
    const [first, second] = componentsOf(page).map(({ id }) => id)
    const incident = toIncident(
      await api.post('/status-incidents', {
        title: 'Both',
        statusPageIds: [page.id],
        components: [first, second].map((componentId) => ({ componentId, state: 'DEGRADED' })),
      }),
    )
    assert.equal((await api.delete(`/monitors/${gone}`)).status, 200)
    const after = await read(page.id)
    assert.deepEqual(layout(after), [[page.sections[0]?.id, [second]]])
    assert.equal(after.updatedAt, page.updatedAt)
    const left = toIncident(await api.get(`/status-incidents/${incident.id}`))
    assert.deepEqual(
      left.components.map(({ componentId }) => componentId),
      [second],
    )
  })

  test('deleteMonitor and updateStatusPage at once: the later one sees it', async () => {
    const page = await made({})
    for (let round = 0; round < 10; round++) {
      const { id } = await monitor()
      const [put, gone] = await Promise.all([
        patch(page.id, { monitorIds: [id] }),
        api.delete(`/monitors/${id}`),
      ])
      assert.equal(gone.status, 200)
      assert.ok(put.status === 200 || put.paths[0] === 'monitorIds.0')
      assert.deepEqual(componentsOf(await read(page.id)), [])
    }
  })
})

describe('states', { concurrency: 4 }, () => {
  const cover = (monitorId: string, from: string, to: string | null) =>
    db.run(
      `insert into maintenance_spans (monitor_no, started_at, ended_at, window_id)
       select no, now() + $2::interval, now() + $3::interval, gen_random_uuid() from monitors where id = $1`,
      [toUuid(monitorId), from, to],
    )
  const publish = async (page: StatusPage, componentId: string, fields: object) =>
    toIncident(
      await api.post('/status-incidents', {
        title: 'Problem',
        statusPageIds: [page.id],
        components: [{ componentId, state: 'PARTIAL_OUTAGE' }],
        ...fields,
      }),
    )

  // biome-ignore format: a table is read by its columns
  const monitors: [state: string, shown: string, page: string][] = [
    ['UP',       'OPERATIONAL',  'OPERATIONAL'],
    ['DEGRADED', 'DEGRADED',     'DEGRADED'],
    ['DOWN',     'MAJOR_OUTAGE', 'MAJOR_OUTAGE'],
    ['PENDING',  'UNKNOWN',      'UNKNOWN'],
    ['PAUSED',   'UNKNOWN',      'UNKNOWN'],
  ]
  for (const [state, shown, whole] of monitors)
    test(`getStatusPage: a monitor that is ${state} shows ${shown}; in a window MAINTENANCE`, async () => {
      const { id } = await monitor()
      const page = await made({ monitorIds: [id] })
      if (state === 'PAUSED') await api.post(`/monitors/${id}/pause`, {})
      else await db.setMonitorStatus(id, { state })
      const before = await read(page.id)
      assert.deepEqual([componentsOf(before)[0]?.state, before.state], [shown, whole])
      assert.equal(before.updatedAt, page.updatedAt)
      await cover(id, '1 hour', '2 hours')
      await cover(id, '-2 hours', '-1 hour')
      assert.equal((await read(page.id)).state, whole)
      await cover(id, '-1 hour', '1 hour')
      const during = await read(page.id)
      assert.deepEqual(
        [componentsOf(during)[0]?.state, during.state],
        ['MAINTENANCE', 'MAINTENANCE'],
      )
    })

  test('getStatusPage: a window without an end covers until it ends', async () => {
    const { id } = await monitor()
    const page = await made({ monitorIds: [id] })
    await cover(id, '-29 days', null)
    assert.equal((await read(page.id)).state, 'MAINTENANCE')
  })

  const manual: [states: string[], page: string][] = [
    [['UNKNOWN', 'UNKNOWN'], 'UNKNOWN'],
    [['OPERATIONAL', 'UNKNOWN'], 'OPERATIONAL'],
    [['MAJOR_OUTAGE', 'MAJOR_OUTAGE', 'UNKNOWN'], 'MAJOR_OUTAGE'],
    [['MAJOR_OUTAGE', 'OPERATIONAL'], 'PARTIAL_OUTAGE'],
    [['PARTIAL_OUTAGE'], 'PARTIAL_OUTAGE'],
    [['DEGRADED', 'MAINTENANCE', 'OPERATIONAL'], 'DEGRADED'],
    [['MAINTENANCE', 'OPERATIONAL'], 'MAINTENANCE'],
  ]
  for (const [states, whole] of manual)
    test(`getStatusPage: ${states.join(', ')} -> ${whole}`, async () => {
      const components = states.map((manualState, n) => ({ name: `C ${n}`, manualState }))
      const page = await made({ sections: [{ components }] })
      assert.deepEqual(
        componentsOf(page).map(({ state }) => state),
        states,
      )
      assert.equal(page.state, whole)
    })

  test('getStatusPage: a published incident counts while it is not resolved, if it is worse', async () => {
    const { id } = await monitor()
    await db.setMonitorStatus(id, { state: 'DEGRADED' })
    const page = await made({ monitorIds: [id] })
    const componentId = componentsOf(page)[0]?.id ?? ''
    const shown = async () => (await read(page.id)).state
    const incident = await publish(page, componentId, {})
    assert.equal(await shown(), 'PARTIAL_OUTAGE')
    const path = `/status-incidents/${incident.id}`
    const say = (state: string) => api.patch(path, { components: [{ componentId, state }] })
    await say('OPERATIONAL')
    assert.equal(await shown(), 'DEGRADED')
    await say('MAJOR_OUTAGE')
    assert.equal(await shown(), 'MAJOR_OUTAGE')
    await publish(page, componentId, { components: [{ componentId, state: 'OPERATIONAL' }] })
    assert.equal(await shown(), 'MAJOR_OUTAGE')
    await cover(id, '-1 hour', '1 hour')
    assert.equal(await shown(), 'MAJOR_OUTAGE')
    await api.post(`${path}/updates`, { message: 'Over', status: 'RESOLVED' })
    assert.equal(await shown(), 'MAINTENANCE')
    await api.post(`${path}/updates`, { message: 'Not quite', status: 'MONITORING' })
    assert.equal(await shown(), 'MAINTENANCE')
    await say('DEGRADED')
    assert.equal(await shown(), 'DEGRADED')
    await api.delete(path)
    assert.equal(await shown(), 'MAINTENANCE')
  })
})
