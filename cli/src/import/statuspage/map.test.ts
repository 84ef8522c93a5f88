import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  assertCounts,
  changesOf,
  itemIn,
  OPTIONS,
  refusalOf,
  resourceIn,
} from '../../../test/import/imported.ts'
import { readIncidentsFile, toIncidentsFile } from '../common/past-incident.ts'
import { mapStatuspage, readStatuspage } from './map.ts'

const EXPORT = {
  page: {
    id: 'p1',
    name: 'Example',
    subdomain: 'example',
    domain: 'status.example.com',
    time_zone: 'Berlin',
    page_description: 'How we do.',
    url: 'https://example.com',
    support_url: 'mailto:help@example.com',
    hidden_from_search: true,
    allow_email_subscribers: true,
  },
  components: [
    { id: 'g1', name: 'Web', group: true, position: 2 },
    { id: 'c2', name: 'Cart', status: 'major_outage', group_id: 'g1', position: 2 },
    {
      id: 'c1',
      name: 'Login',
      status: 'operational',
      group_id: 'g1',
      position: 1,
      description: 'Accounts',
    },
    { id: 'c3', name: 'Phones', status: 'under_maintenance', group_id: null, position: 1 },
  ],
  component_groups: [{ id: 'g1', name: 'Web', components: ['c1', 'c2'], position: 2 }],
  incidents: [
    {
      id: 'i1',
      name: 'Outage',
      impact: 'major',
      status: 'postmortem',
      started_at: '2026-01-01T09:00:00Z',
      resolved_at: '2026-01-01T11:00:00Z',
      incident_updates: [
        { status: 'postmortem', body: 'Learned.', display_at: '2026-01-02T09:00:00Z' },
        { status: 'resolved', body: 'Fixed.', display_at: '2026-01-01T11:00:00Z' },
        {
          status: 'investigating',
          body: 'We look.',
          display_at: '2026-01-01T09:05:00Z',
          affected_components: [{ name: 'Web - Cart', new_status: 'major_outage' }],
        },
      ],
    },
    { id: 'i4', name: 'Today', impact: 'minor', status: 'identified' },
    {
      id: 'i2',
      name: 'Move',
      scheduled_for: '2026-12-01T00:00:00Z',
      scheduled_until: '2026-12-01T02:00:00Z',
    },
    {
      id: 'i3',
      name: 'Old move',
      scheduled_for: '2020-12-01T00:00:00Z',
      scheduled_until: '2020-12-01T02:00:00Z',
    },
  ],
  subscribers: [{ id: 's1', email: 'planted@example.com' }],
}

test('a page with components, incidents and subscribers', () => {
  const imported = mapStatuspage(readStatuspage('page.json', EXPORT), OPTIONS)
  assertCounts(imported)
  assert.deepEqual(resourceIn(imported, 'statusPages', 'example'), {
    name: 'Example',
    slug: 'example',
    customDomain: 'status.example.com',
    description: 'How we do.',
    homepageUrl: 'https://example.com',
    timezone: 'Europe/Berlin',
    allowIndexing: false,
    sections: [
      { components: [{ name: 'Phones', manualState: 'OPERATIONAL' }] },
      {
        name: 'Web',
        components: [
          { name: 'Login', description: 'Accounts', manualState: 'OPERATIONAL' },
          { name: 'Cart', manualState: 'MAJOR_OUTAGE' },
        ],
      },
    ],
  })
  assert.deepEqual(changesOf(imported, 'Phones'), ['status'])
  assert.equal(itemIn(imported, 'Cart').outcome, 'mapped')
  assert.match(refusalOf(imported, 'Move'), /Plan it in Upvane/)
  assert.match(refusalOf(imported, 'Old move'), /it is over/)
  assert.match(refusalOf(imported, 'Today'), /not resolved/)
  assert.deepEqual(imported.incidents, [
    {
      page: 'example',
      title: 'Outage',
      impact: 'MAJOR',
      startedAt: '2026-01-01T09:00:00.000Z',
      resolvedAt: '2026-01-01T11:00:00.000Z',
      updates: [
        {
          status: 'INVESTIGATING',
          message: 'We look.',
          createdAt: '2026-01-01T09:05:00.000Z',
          components: [{ name: 'Cart', state: 'MAJOR_OUTAGE' }],
        },
        {
          status: 'RESOLVED',
          message: 'Fixed.',
          createdAt: '2026-01-01T11:00:00.000Z',
          components: [],
        },
        {
          status: 'RESOLVED',
          message: 'Learned.',
          createdAt: '2026-01-02T09:00:00.000Z',
          components: [],
        },
      ],
    },
  ])
  assert.deepEqual(
    readIncidentsFile('x.json', JSON.parse(toIncidentsFile(imported.incidents))),
    imported.incidents,
  )
  assert.ok(!JSON.stringify(imported.report).includes('planted'))
})

test('groups that are only in the list of components', () => {
  const { component_groups: _, ...rest } = EXPORT
  const imported = mapStatuspage(readStatuspage('page.json', rest), OPTIONS)
  assertCounts(imported)
  const page = resourceIn(imported, 'statusPages', 'example')
  assert.equal((page['sections'] as unknown[]).length, 2)
})

test('a page with more components than it can have', () => {
  const components = Array.from({ length: 250 }, (_, n) => ({
    id: `c${n}`,
    name: `C ${n}`,
    status: 'operational',
  }))
  const imported = mapStatuspage(
    readStatuspage('page.json', { page: { name: 'Full' }, components }),
    OPTIONS,
  )
  assertCounts(imported)
  assert.deepEqual(imported.report.counts['component'], {
    total: 250,
    mapped: 200,
    changed: 0,
    notTaken: 50,
  })
  assert.deepEqual(changesOf(imported, 'Full'), ['sections'])
})

test('a file of another kind is refused', () => {
  assert.throws(() => readStatuspage('x.json', { data: [] }), /no "page"/)
})
