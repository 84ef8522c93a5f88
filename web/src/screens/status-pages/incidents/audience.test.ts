import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { AffectedState } from '../../../../../src/domain/status-pages/page-state.ts'
import { listOf } from '../../../messages/list.ts'
import { publishText } from '../../../messages/publishing/incidents.ts'
import type { StatusPageView } from '../page.ts'
import { pagesWithout, publishLabel, withComponents, withPages } from './audience.ts'

const component = (id: string, name: string, monitorId: string | null = null) => ({
  id,
  name,
  monitorId,
})
// Only the fields that are read from a page.
const page = (id: string, name: string, components: ReturnType<typeof component>[]) =>
  ({
    id,
    name,
    published: true,
    sections: [{ name: 'Shop', components }],
  }) as unknown as StatusPageView

const pages = [
  page('sp_1', 'Acme', [component('cmp_1', 'Search', 'mon_1'), component('cmp_2', 'Checkout')]),
  page('sp_2', 'Acme for partners', [component('cmp_3', 'Orders')]),
  page('sp_3', 'Acme inside', [component('cmp_4', 'Suche', 'mon_1')]),
]
const state: AffectedState = 'DEGRADED'
const affected = (...ids: string[]) => ids.map((componentId) => ({ componentId, state }))

test('a component adds its page, and the last one of a page takes it away again', () => {
  const empty = { components: [], statusPageIds: [] }
  const one = withComponents(pages, empty, affected('cmp_1'), [])
  assert.deepEqual(one.statusPageIds, ['sp_1'])
  const two = withComponents(pages, one, affected('cmp_1', 'cmp_2', 'cmp_3'), [])
  assert.deepEqual(two.statusPageIds, ['sp_1', 'sp_2'])
  const without = withComponents(pages, two, affected('cmp_2', 'cmp_3'), [])
  assert.deepEqual(without.statusPageIds, ['sp_1', 'sp_2'], 'the page still shows one')
  assert.deepEqual(withComponents(pages, without, affected('cmp_3'), []).statusPageIds, ['sp_2'])
})

test('a page chosen by hand stays when its last component is removed, and a changed state moves nothing', () => {
  const before = { components: affected('cmp_1'), statusPageIds: ['sp_1', 'sp_2'] }
  assert.deepEqual(withComponents(pages, before, [], ['sp_1']).statusPageIds, ['sp_1', 'sp_2'])
  assert.deepEqual(withComponents(pages, before, [], []).statusPageIds, ['sp_2'])
  const worse = [{ componentId: 'cmp_1', state: 'MAJOR_OUTAGE' as const }]
  assert.deepEqual(withComponents(pages, before, worse, []).statusPageIds, ['sp_1', 'sp_2'])
})

test('a page that is removed by hand takes its components along', () => {
  const before = { components: affected('cmp_1', 'cmp_3') }
  assert.deepEqual(withPages(pages, before, ['sp_2']), {
    components: affected('cmp_3'),
    statusPageIds: ['sp_2'],
  })
})

test('a chosen page that shows none of the affected components is named; one with the same monitor is not', () => {
  const all = ['sp_1', 'sp_2', 'sp_3']
  assert.deepEqual(pagesWithout(pages, { components: affected('cmp_1'), statusPageIds: all }), [
    { page: 'Acme for partners', components: ['Search'] },
  ])
  assert.deepEqual(pagesWithout(pages, { components: [], statusPageIds: all }), [])
  assert.equal(
    publishText.notShownOn({
      page: 'Acme for partners',
      components: listOf(['Search', 'Checkout'], 'or'),
    }),
    'Acme for partners does not show Search or Checkout.',
  )
})

test('the button names the audience and its size', () => {
  assert.equal(publishLabel(['Acme'], 19), 'Publish to Acme and notify 19 subscribers')
  assert.equal(publishLabel(['Acme'], 1), 'Publish to Acme and notify 1 subscriber')
  assert.equal(publishLabel(['Acme'], 0), 'Publish to Acme')
  assert.equal(publishLabel(['Acme', 'Status'], 24), 'Publish to 2 pages and notify 24 subscribers')
  assert.equal(publishLabel(['A'.repeat(41)], 0), 'Publish to 1 page')
  assert.equal(publishLabel([], 0), 'Publish')
})
