import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LOCALES, type Locale } from '../../domain/values/locale.ts'
import { messagesOf } from '../../render/messages/messages.ts'
import type { PageIncident, PageSnapshot } from '../snapshot/snapshot.ts'
import { renderIncidentPage } from './incident-page.ts'
import { viewOf } from './layout.ts'
import { linksAt } from './links.ts'

const AT = new Date('2026-11-17T13:31:00Z')
const SCALE = ['DEGRADED', 'PARTIAL_OUTAGE', 'MAJOR_OUTAGE'] as const

/** What stands below the title. */
function metaOf(locale: Locale, fields: Partial<PageIncident>): string {
  const incident = {
    id: 'sin_1',
    title: 'Checkout fails',
    status: 'INVESTIGATING',
    impact: 'MAJOR',
    startedAt: AT,
    resolvedAt: null,
    components: [],
    updates: [],
    nextUpdateBy: null,
    postMortem: null,
    ...fields,
  } as unknown as PageIncident
  const snapshot = {
    page: { locale, timezone: 'UTC', accentColor: null, name: 'Acme', theme: 'SYSTEM' },
    state: 'PARTIAL_OUTAGE',
    asOf: AT,
    days: [],
    sections: [],
    incidents: [incident],
    windows: [],
  } as unknown as PageSnapshot
  const { text } = renderIncidentPage(viewOf(snapshot, linksAt('')), incident)
  const [, meta = ''] = /<div class="meta">(.*?)<\/div>/s.exec(text) ?? []
  return meta.replaceAll(/<[^>]+>/g, ' ')
}

const components = [
  { id: 'cmp_1', name: 'Checkout', state: 'MAJOR_OUTAGE' },
] as unknown as PageIncident['components']

for (const locale of LOCALES)
  test(`renderIncidentPage: one word for how bad it is, in ${locale}`, () => {
    const { page } = messagesOf(locale)
    const named = (fields: Partial<PageIncident>) =>
      SCALE.filter((state) => metaOf(locale, fields).includes(page.states[state]))
    const over = { status: 'RESOLVED', resolvedAt: AT } as const
    for (const isOver of [{}, over]) {
      assert.deepEqual(named({ components, ...isOver }), ['MAJOR_OUTAGE'])
      assert.deepEqual(named({ impact: 'MINOR', ...isOver }), ['DEGRADED'])
      assert.deepEqual(named({ impact: 'MAJOR', ...isOver }), ['PARTIAL_OUTAGE'])
      assert.deepEqual(named({ impact: 'NONE', ...isOver }), [])
      assert.ok(metaOf(locale, { impact: 'NONE', ...isOver }).includes(page.noImpact))
    }
  })
