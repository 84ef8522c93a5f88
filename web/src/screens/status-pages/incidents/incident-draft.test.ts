import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatusPageView } from '../page.ts'
import { componentOptions, type Detected, draftOf } from './incident-draft.ts'

const component = (id: string, monitorId: string | null) => ({
  id,
  name: `Name of ${id}`,
  monitorId,
})
// Only the fields that are read from a page and an incident.
const page = (id: string, components: ReturnType<typeof component>[]) =>
  ({
    id,
    name: `Page ${id}`,
    published: id !== 'sp_3',
    sections: [{ name: 'Shop', components }],
  }) as unknown as StatusPageView
const detected = {
  id: 'inc_1',
  monitor: { id: 'mon_1', name: 'internal-host-7' },
  cause: 'HTTP 503',
} as unknown as Detected

const pages = [
  page('sp_1', [component('cmp_1', 'mon_1'), component('cmp_2', null)]),
  page('sp_2', []),
  page('sp_3', []),
]

test('a detected incident fills in what readers see anyway, and nothing they may not know', () => {
  const draft = draftOf(pages, detected)
  assert.deepEqual(draft.statusPageIds, ['sp_1'])
  assert.deepEqual(draft.components, [{ componentId: 'cmp_1', state: 'MAJOR_OUTAGE' }])
  assert.equal(draft.title, 'Name of cmp_1 is down')
  assert.doesNotMatch(JSON.stringify(draft), /internal-host-7|503/)
})

test('without one, or when no page shows its monitor, the form is empty and meant for no page yet', () => {
  const other = { ...detected, monitor: { id: 'mon_2' } } as Detected
  for (const draft of [draftOf(pages, undefined), draftOf(pages, other)]) {
    assert.deepEqual(draft.statusPageIds, [])
    assert.equal(draft.title, '')
    assert.deepEqual(draft.components, [])
  }
  assert.deepEqual(draftOf(pages, undefined, 'sp_2').statusPageIds, ['sp_2'])
})

test('the only page that people see is chosen from the start', () => {
  assert.deepEqual(draftOf(pages.slice(1), undefined).statusPageIds, ['sp_2'])
  assert.deepEqual(draftOf(pages.slice(2), undefined).statusPageIds, ['sp_3'])
})

test('a component is told by its section, and by its page where there are several', () => {
  assert.equal(componentOptions(pages, ['sp_1'])[0]?.location, 'Shop')
  assert.equal(componentOptions(pages, ['sp_1', 'sp_2'])[0]?.location, 'Page sp_1, Shop')
})
