import type { CheckEvidence, IncidentBody, IncidentDetailBody } from './incident.ts'
import { MONITOR_EXAMPLE } from './monitor.ts'

export const INCIDENT_EXAMPLE: IncidentBody = {
  id: 'inc_01m7e3k4y5e5fr0039rkamsgk4',
  monitor: { id: MONITOR_EXAMPLE.id, name: MONITOR_EXAMPLE.name, type: MONITOR_EXAMPLE.type },
  startedAt: '2026-11-14T22:39:00.114Z',
  resolvedAt: null,
  durationSec: null,
  cause: 'HTTP 503, expected 200',
  acknowledged: false,
}

export const EVIDENCE_EXAMPLE: CheckEvidence = {
  checkId: 'chk_01m7e4f440e1n80038aztfqn39',
  checkedAt: '2026-11-14T22:39:01.522Z',
  location: 'eu-central',
  outcome: 'FAILED',
  causeCode: 'UNEXPECTED_STATUS',
  cause: 'HTTP 503, expected 200',
  responseMs: 187,
  httpStatus: 503,
  resolvedIp: '203.0.113.20',
  timings: { dnsMs: 11, connectMs: 24, tlsMs: 38, firstByteMs: 114 },
  certExpiresAt: '2027-01-30T23:59:59.000Z',
  dnsAnswers: null,
  bodyExcerpt: 'Service Unavailable',
  attempts: [
    {
      number: 1,
      startedAt: '2026-11-14T22:39:00.114Z',
      outcome: 'FAILED',
      causeCode: 'UNEXPECTED_STATUS',
      responseMs: 201,
      httpStatus: 503,
    },
    {
      number: 2,
      startedAt: '2026-11-14T22:39:01.335Z',
      outcome: 'FAILED',
      causeCode: 'UNEXPECTED_STATUS',
      responseMs: 187,
      httpStatus: 503,
    },
  ],
}

export const INCIDENT_DETAIL_EXAMPLE: IncidentDetailBody = {
  ...INCIDENT_EXAMPLE,
  causeCode: 'UNEXPECTED_STATUS',
  resolution: null,
  acknowledgedAt: null,
  acknowledgedBy: null,
  acknowledgeNote: null,
  openedBy: EVIDENCE_EXAMPLE,
  lastFailure: EVIDENCE_EXAMPLE,
  resolvedBy: null,
  timeline: [
    {
      id: 'itl_01m7e4jvfee5a8001c0825yps7',
      type: 'OPENED',
      at: '2026-11-14T22:39:01.522Z',
      message: 'HTTP 503, expected 200',
    },
  ],
  statusIncidentIds: [],
}

export const ACKNOWLEDGED_EXAMPLE: IncidentDetailBody = {
  ...INCIDENT_DETAIL_EXAMPLE,
  acknowledged: true,
  acknowledgedAt: '2026-11-14T22:42:10.480Z',
  acknowledgedBy: { type: 'API_KEY', id: 'key_01m7e4d8e8efer004abvjgkft2', name: 'On-call bot' },
  acknowledgeNote: 'Payment provider has an outage, watching it.',
  timeline: [
    ...INCIDENT_DETAIL_EXAMPLE.timeline,
    {
      id: 'itl_01m7e4mq55e74r0033rt527f33',
      type: 'ACKNOWLEDGED',
      at: '2026-11-14T22:42:10.480Z',
      message: 'Acknowledged by On-call bot',
    },
  ],
}
