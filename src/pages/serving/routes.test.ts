import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseRoute } from './routes.ts'

const ID = '01m7ets004emqrg46pzpfshrfg'

const rows: [path: string, kind: string | undefined][] = [
  ['', 'OVERVIEW'],
  ['/history', 'HISTORY'],
  ['/feed.rss', 'RSS'],
  ['/feed.atom', 'ATOM'],
  ['/status.json', 'SUMMARY'],
  ['/badge.svg', 'BADGE'],
  ['/embed', 'EMBED'],
  [`/incidents/sin_${ID}`, 'INCIDENT'],
  [`/maintenance/mw_${ID}`, 'WINDOW'],
  [`/badge/cmp_${ID}.svg`, 'COMPONENT_BADGE'],
  ['/', undefined],
  ['/history/', undefined],
  ['/History', undefined],
  ['/constructor', undefined],
  [`/incidents/mw_${ID}`, undefined],
  [`/incidents/sin_${ID}.svg`, undefined],
  [`/incidents/sin_${ID}/x`, undefined],
  [`/badge/cmp_${ID}`, undefined],
  ['/incidents/sin_x', undefined],
  ['/incidents/../history', undefined],
]

const themes: [query: string, theme: string | undefined][] = [
  ['', undefined],
  ['theme=light', 'LIGHT'],
  ['?theme=dark', 'DARK'],
  ['x=1&theme=dark', 'DARK'],
  ['theme=DARK', undefined],
  ['theme=constructor', undefined],
  ['theme=light&theme=dark', 'LIGHT'],
]

for (const [query, theme] of themes) {
  test(`parseRoute: /embed with "${query}" -> ${theme ?? 'the theme of the page'}`, () =>
    assert.deepEqual(parseRoute('/embed', query), { kind: 'EMBED', ...(theme && { theme }) }))
}

for (const [path, kind] of rows) {
  test(`parseRoute: "${path}" -> ${kind ?? 'nothing'}`, () =>
    assert.equal(parseRoute(path)?.kind, kind))
}
