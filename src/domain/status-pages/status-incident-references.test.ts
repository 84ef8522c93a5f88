import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPublicId } from '../values/id.ts'
import {
  type References,
  referencedUuids,
  resolveReferences,
} from './status-incident-references.ts'

const uuid = (n: number) => `01940000-0000-7000-8000-${String(n).padStart(12, '0')}`
const sp = (n: number) => toPublicId('sp', uuid(n))
const affected = (n: number) => ({
  componentId: toPublicId('cmp', uuid(n)),
  state: 'DEGRADED' as const,
})

// Page 1 has component 11, page 2 has component 21.
const known = {
  pageUuids: new Set([uuid(1), uuid(2)]),
  pageOfComponent: new Map([
    [uuid(11), uuid(1)],
    [uuid(21), uuid(2)],
  ]),
  incidentUuids: new Set([uuid(5)]),
}
const before = {
  pageUuids: [uuid(1)],
  components: [{ componentUuid: uuid(11), state: 'MAJOR_OUTAGE' as const }],
  incidentUuid: uuid(4),
}

const rows: [what: string, sent: References, paths: string[]][] = [
  ['nothing', {}, []],
  ['another page beside it', { statusPageIds: [sp(2), sp(1)] }, []],
  ['the page without its component', { statusPageIds: [sp(2)] }, ['components.0.componentId']],
  ['page and component together', { statusPageIds: [sp(2)], components: [affected(21)] }, []],
  ['a page nobody here has', { statusPageIds: [sp(1), sp(3)] }, ['statusPageIds.1']],
  ['no page id', { statusPageIds: [sp(1), 'x'] }, ['statusPageIds.1']],
  ['a page twice', { statusPageIds: [sp(1), sp(1)] }, []],
  ['a component of another page', { components: [affected(21)] }, ['components.0.componentId']],
  [
    'a component nobody here has',
    { components: [affected(11), affected(99)] },
    ['components.1.componentId'],
  ],
  ['a component twice', { components: [affected(11), affected(11)] }, ['components.1.componentId']],
  ['no component', { components: [] }, []],
  ['a detected incident', { incidentId: toPublicId('inc', uuid(5)) }, []],
  ['none any more', { incidentId: null }, []],
  ['one nobody here has', { incidentId: toPublicId('inc', uuid(6)) }, ['incidentId']],
  ['no incident id', { incidentId: 'x' }, ['incidentId']],
]
for (const [what, sent, paths] of rows)
  test(`${what}: ${paths.join() || 'fine'}`, () => {
    const { problems } = resolveReferences(sent, before, known)
    assert.deepEqual(
      problems.map(({ path }) => path),
      paths,
    )
  })

test('what was not sent stays, what was sent replaces', () => {
  assert.deepEqual(resolveReferences({}, before, known).named, before)
  const sent = { statusPageIds: [sp(2)], components: [affected(21)], incidentId: null }
  assert.deepEqual(resolveReferences(sent, before, known).named, {
    pageUuids: [uuid(2)],
    components: [{ componentUuid: uuid(21), state: 'DEGRADED' }],
    incidentUuid: null,
  })
})

test('a page that is named twice is meant once', () => {
  const { named } = resolveReferences({ statusPageIds: [sp(1), sp(2), sp(1)] }, before, known)
  assert.deepEqual(named.pageUuids, [uuid(1), uuid(2)])
})

test('only what has the form of an id is looked for', () => {
  const sent = {
    statusPageIds: ['x', sp(1)],
    components: [{ ...affected(1), componentId: '' }],
    incidentId: 'x',
  }
  assert.deepEqual(referencedUuids(sent, before), {
    pages: [uuid(1)],
    components: [],
    incident: null,
  })
  assert.deepEqual(referencedUuids({}, before), {
    pages: [],
    components: [uuid(11)],
    incident: null,
  })
})
