import assert from 'node:assert/strict'
import { test } from 'node:test'
import { dashboardPrefixes, PATHS, pathTo } from './dashboard-paths.ts'

test('a path is filled with its value, which cannot leave its segment', () => {
  assert.equal(pathTo(PATHS.monitor, { monitorId: 'mon_1' }), '/monitors/mon_1')
  assert.equal(pathTo(PATHS.editMonitor, { monitorId: 'mon_1' }), '/monitors/mon_1/edit')
  assert.equal(
    pathTo(PATHS.statusPageIncidents, { statusPageId: 'sp_1' }),
    '/status-pages/sp_1/incidents',
  )
  assert.equal(pathTo(PATHS.incident, { incidentId: '../a?b#c' }), '/incidents/..%2Fa%3Fb%23c')
  assert.equal(pathTo(PATHS.incident, { incidentId: '$&' }), '/incidents/%24%26')
  assert.equal(pathTo(PATHS.team, {}), '/team')
})

test('no two names have the same path', () => {
  const paths = Object.values(PATHS)
  assert.equal(new Set(paths).size, paths.length)
})

test('the server serves the dashboard below the first segment of every path', () => {
  // Written out: emails that were sent long ago link to these.
  assert.deepEqual(dashboardPrefixes().toSorted(), [
    '/',
    '/account',
    '/acknowledge',
    '/alert-contacts',
    '/api-keys',
    '/audit-log',
    '/confirm-contact',
    '/incidents',
    '/invitation',
    '/maintenance',
    '/monitors',
    '/operator',
    '/reset-password',
    '/settings',
    '/setup',
    '/sign-in',
    '/status-pages',
    '/team',
    '/webhooks',
    '/welcome',
  ])
})
