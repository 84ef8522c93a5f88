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

function heroOf(components: PageComponent[]): string {
  const snapshot = {
    page: { locale: 'en', timezone: 'UTC', accentColor: null },
    state: 'PARTIAL_OUTAGE',
    asOf: AT,
    days: [],
    sections: [{ components }],
    incidents: [incident],
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
