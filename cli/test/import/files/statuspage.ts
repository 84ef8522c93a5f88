// Atlassian Statuspage.
import { type RealFile, toJson } from './real-file.ts'

/** A component as version 1 of Statuspage's API answers. */
const component = (id: string, name: string, status: string, more: object = {}) => ({
  id,
  page_id: 'kctbh9vrtdwd',
  group_id: null,
  created_at: '2024-01-01T00:00:00Z',
  updated_at: '2024-01-01T00:00:00Z',
  group: false,
  name,
  description: null,
  position: 1,
  status,
  showcase: true,
  only_show_if_degraded: false,
  automation_email: 'component+planted@notifications.statuspage.io',
  start_date: null,
  ...more,
})

const STATUSPAGE = {
  page: {
    id: 'kctbh9vrtdwd',
    name: 'Example',
    page_description: 'What we run.',
    headline: null,
    branding: 'premium',
    subdomain: 'example-page',
    domain: '',
    url: 'https://example.com',
    support_url: 'https://example.com/help',
    hidden_from_search: false,
    allow_page_subscribers: true,
    allow_email_subscribers: true,
    time_zone: 'Pacific Time (US & Canada)',
    css_body_background_color: '#ffffff',
    transactional_logo: { original_url: '' },
  },
  components: [
    component('g1', 'Web', 'operational', { group: true, position: 2 }),
    component('c1', 'Login', 'operational', { group_id: 'g1' }),
    component('c2', 'Cart', 'partial_outage', { group_id: 'g1', position: 2 }),
    component('c3', 'API', 'degraded_performance'),
    component('c4', 'Phones', 'under_maintenance'),
    component('c5', 'Search', 'major_outage', { only_show_if_degraded: true }),
  ],
  component_groups: [{ id: 'g1', name: 'Web', components: ['c1', 'c2'], position: 2 }],
  incidents: [
    {
      id: 'i1',
      name: 'Outage',
      status: 'resolved',
      impact: 'major',
      incident_updates: [
        { id: 'u1', status: 'resolved', body: 'Fixed.', display_at: '2026-01-01' },
      ],
      postmortem_body: null,
    },
    {
      id: 'i2',
      name: 'Move',
      status: 'scheduled',
      impact: 'maintenance',
      scheduled_for: '2036-12-01T00:00:00Z',
      scheduled_until: '2036-12-01T02:00:00Z',
      incident_updates: [],
    },
  ],
  subscribers: [{ id: 's1', mode: 'email', email: 'planted@example.com' }],
}

export const STATUSPAGE_FILES: readonly RealFile[] = [
  {
    tool: 'statuspage',
    version: 'API version 1',
    name: 'statuspage.json',
    text: toJson(STATUSPAGE),
    counts: {
      'status page': [0, 1, 0],
      component: [3, 2, 0],
      incident: [1, 0, 1],
      subscriber: [0, 0, 1],
    },
  },
]
