import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sampleMonitor } from '../../../test/samples/monitor.ts'
import type { IncidentDetailBody } from '../../contract/public/incident.ts'
import { INCIDENT_DETAIL_EXAMPLE } from '../../contract/public/incident-examples.ts'
import { MONITOR_EXAMPLE } from '../../contract/public/monitor.ts'
import { toApiMonitor } from '../../domain/monitors/monitor.ts'
import { showDeliveryDetails, showIncidentDetails, showMonitorDetails } from './shapes.ts'

const CANARY = 'canary5e3d'

test('showMonitorDetails: no credential of a monitor, wherever it is', () => {
  const monitor = sampleMonitor({
    url: `https://shop.example/health?token=${CANARY}#${CANARY}`,
    requestHeaders: { Authorization: CANARY, [`X-${CANARY}`]: 'x' },
    requestBody: CANARY,
    keyword: CANARY,
    dnsExpected: CANARY,
    heartbeatToken: CANARY,
  })
  for (const type of ['HTTP', 'CRON', 'KEYWORD', 'DNS'] as const) {
    const body = toApiMonitor({ ...monitor, type }, 'https://upvane.example')
    const shown = showMonitorDetails(JSON.parse(JSON.stringify(body)))
    assert.ok(!JSON.stringify(shown).includes(CANARY), type)
    assert.equal(shown.hasRequestHeaders, true)
  }
})

test('showIncidentDetails: text from outside is only inside untrusted', () => {
  const openedBy = { ...INCIDENT_DETAIL_EXAMPLE.openedBy, bodyExcerpt: CANARY, cause: CANARY }
  const incident: IncidentDetailBody = {
    ...INCIDENT_DETAIL_EXAMPLE,
    cause: CANARY,
    monitor: { ...INCIDENT_DETAIL_EXAMPLE.monitor, name: CANARY },
    acknowledgeNote: CANARY,
    openedBy,
    timeline: [{ id: 'itl_1', type: 'OPENED', at: '2026-11-14T22:39:00.000Z', message: CANARY }],
  }
  const shown = showIncidentDetails(incident, MONITOR_EXAMPLE)
  assert.ok(JSON.stringify(shown).includes(CANARY))
  assert.ok(!JSON.stringify(shown, withoutUntrusted).includes(CANARY))

  const sender = { ...MONITOR_EXAMPLE, requestHeaders: { Authorization: `Bearer ${CANARY}` } }
  assert.ok(!JSON.stringify(showIncidentDetails(incident, sender)).includes(CANARY))
})

test('showDeliveryDetails: neither the payload nor the path of the receiver', () => {
  const at = '2026-11-14T22:39:00.000Z'
  const shown = showDeliveryDetails({
    id: 'whd_1',
    endpointId: 'whe_1',
    eventId: 'evt_1',
    eventType: 'monitor.down',
    status: 'FAILED',
    attemptCount: 1,
    nextAttemptAt: null,
    lastAttemptAt: at,
    lastResponseStatus: 500,
    lastError: 'BAD_STATUS',
    createdAt: at,
    completedAt: at,
    url: `https://hooks.example/services/${CANARY}`,
    payload: {
      id: 'evt_1',
      type: 'monitor.down',
      timestamp: at,
      apiVersion: 'v1',
      organizationId: 'org_1',
      data: { secret: CANARY },
    },
    attempts: [
      {
        id: 'wha_1',
        number: 1,
        trigger: 'AUTOMATIC',
        startedAt: at,
        durationMs: 9,
        outcome: 'FAILED',
        responseStatus: 404,
        responseBody: `No hook /services/${CANARY}`,
        errorCode: 'BAD_STATUS',
        error: null,
      },
    ],
  })
  assert.ok(!JSON.stringify(shown).includes(CANARY))
  assert.equal(shown.untrusted.receiver, 'hooks.example')
})

const withoutUntrusted = (name: string, value: unknown): unknown =>
  name === 'untrusted' ? undefined : value
