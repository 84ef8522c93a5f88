import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { PageComponent, PageIncident, PageSnapshot } from '../snapshot/snapshot.ts'
import { renderHero } from './hero.ts'
import { viewOf } from './layout.ts'
import { linksAt } from './links.ts'

const AT = new Date('2026-11-17T13:31:00Z')

const component = (name: string, state: PageComponent['state']) =>
  ({ id: `cmp_${name}`, name, state, changedAt: null }) as PageComponent

const incident = {
  id: 'sin_1',
  title: 'Checkout fails',
  status: 'INVESTIGATING',
  impact: 'MAJOR',
  startedAt: AT,
  resolvedAt: null,
  components: [{ id: 'cmp_Checkout', name: 'Checkout', state: 'MAJOR_OUTAGE' }],
  updates: [],
  nextUpdateBy: null,
} as unknown as PageIncident

function heroOf(components: PageComponent[], own: Partial<PageIncident> = {}): string {
  const snapshot = {
    page: { locale: 'en', timezone: 'UTC', accentColor: null },
    state: 'PARTIAL_OUTAGE',
    asOf: AT,
    days: [],
    sections: [{ components }],
    incidents: [{ ...incident, ...own }],
    windows: [],
  } as unknown as PageSnapshot
  const { text } = renderHero(viewOf(snapshot, linksAt('')))
  return text.replaceAll(/<[^>]+>/g, '')
}

const CHECKOUT = component('Checkout', 'MAJOR_OUTAGE')

test('the hero names every component that it counts, first those of the incident', () => {
  const others = [component('Newsletter', 'MAJOR_OUTAGE'), component('Search', 'DEGRADED')]
  const text = heroOf([CHECKOUT, ...others, component('API', 'OPERATIONAL')])
  assert.match(text, /3 of 4 components affected/)
  assert.match(
    text,
    /Affected: CheckoutAlso affected: Newsletter \(Major outage\), Search \(Degraded\)/,
  )
})

test('the hero says nothing of others if there are none, and counts what does not fit', () => {
  assert.doesNotMatch(heroOf([CHECKOUT]), /Also affected/)
  const many = Array.from({ length: 8 }, (_, at) => component(`S${at}`, 'DEGRADED'))
  assert.match(heroOf([CHECKOUT, ...many]), /S4 \(Degraded\), \+3View/)
})

test('the word of a single incident is the one on its own page, although the page as a whole is better', () => {
  assert.match(heroOf([CHECKOUT, component('API', 'OPERATIONAL')]), /Major outage · 1 of 2/)
  const degraded: Partial<PageIncident> = {
    components: [{ id: 'cmp_Search', name: 'Search', state: 'DEGRADED' }],
  }
  assert.match(heroOf([component('Search', 'DEGRADED'), CHECKOUT], degraded), /Degraded · 2 of 2/)
})

test('an incident without impact does not call a page with an outage fine', () => {
  const note: Partial<PageIncident> = { impact: 'NONE', components: [] }
  assert.match(heroOf([CHECKOUT, component('API', 'OPERATIONAL')], note), /Partial outage · 1 of 2/)
})
