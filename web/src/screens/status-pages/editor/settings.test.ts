import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { StatusPageView } from '../page.ts'
import {
  blankPage,
  changesOf,
  drawnOf,
  isStale,
  NO_DRAFT,
  recordsOf,
  shownStructure,
  withStructure,
} from './settings.ts'
import { changeSection, structureOf } from './structure.ts'

// Only the fields that the editor reads.
const page = {
  ...blankPage('UTC'),
  id: 'sp_1',
  name: 'Acme',
  slug: 'acme',
  sections: [{ id: 'sec_1', name: 'Shop', collapsed: false, components: [] }],
} as unknown as StatusPageView

test('only what differs is sent, and a password only when one was typed or taken away', () => {
  assert.deepEqual(changesOf(page, NO_DRAFT), { body: {}, count: 0 })
  assert.deepEqual(changesOf(page, { settings: { name: 'New', slug: 'acme' } }).body, {
    name: 'New',
  })
  assert.deepEqual(changesOf(page, { settings: { password: null } }).body, { password: null })
  const folded = changeSection(structureOf(page), 'sec_1', { collapsed: true })
  assert.deepEqual(changesOf(page, { settings: {}, structure: folded }).body, {
    sections: [{ id: 'sec_1', name: 'Shop', collapsed: true, components: [] }],
  })
})

test('sections that somebody else saved meanwhile are noticed before ours take their place', () => {
  const renamed = changeSection(structureOf(page), 'sec_1', { name: 'Store' })
  const draft = withStructure(page, NO_DRAFT, renamed)
  const later = withStructure(page, draft, changeSection(renamed, 'sec_1', { collapsed: true }))
  assert.equal(isStale(page, later), false)
  const [section] = page.sections
  const theirs = { ...page, sections: [{ ...section, name: 'Theirs' }] } as StatusPageView
  assert.equal(isStale(theirs, later), true)
  assert.equal(isStale(theirs, NO_DRAFT), false)
  const blank = blankPage('UTC')
  assert.equal(isStale(blank, withStructure(blank, NO_DRAFT, renamed)), false)
})

test('a page that is not saved starts with one section to put monitors in', () => {
  assert.equal(shownStructure(blankPage('UTC'), NO_DRAFT).length, 1)
  assert.equal(blankPage('UTC').published, false)
  assert.equal(changesOf(blankPage('UTC'), NO_DRAFT).count, 0)
})

test('the renderer never gets a password, a domain, or half a name', () => {
  const draft = {
    settings: { password: 'secret words', customDomain: 'a.b', name: ' ', slug: 'x' },
  }
  assert.deepEqual(drawnOf(page, draft), { statusPageId: 'sp_1' })
  assert.equal(drawnOf(blankPage('UTC'), draft)?.name, 'Your status page')
})

test('a domain is proven by the id of its page, and leads to where pages are', () => {
  assert.deepEqual(recordsOf(page, 'status.acme.com', 'status.example.com'), [
    { type: 'TXT', name: '_upvane.status.acme.com', value: 'sp_1' },
    { type: 'CNAME', name: 'status.acme.com', value: 'status.example.com' },
  ])
})
