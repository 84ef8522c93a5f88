import type { Static } from 'typebox'
import * as own from '../private/incidents/evidence.ts'
import * as replay from '../private/monitors/replay.ts'
import { forKeys } from './operation.ts'

const tag = 'Evidence and replay'
const KEY_ID = '3f6c0a41d2b97e58'
const INCIDENT_ID = 'inc_01m7eychzqe008002b7amarpje'

const KEY: Static<typeof own.EvidenceKey> = {
  installation: 'https://upvane.example.com',
  algorithm: 'Ed25519',
  keyId: KEY_ID,
  publicKey: '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo',
}
const TOTALS = { incidents: 2, downSeconds: 460, degradations: 9, alerts: 8 }
const REPLAY: Static<typeof replay.MonitorReplay> = {
  monitorId: 'mon_01m7e3dhx0e008000mxrf1bnxa',
  from: '2026-10-15T22:39:00.000Z',
  to: '2026-11-14T22:39:00.000Z',
  checks: 43_200,
  settings: {
    degradedThresholdMs: 500,
    degradedThresholdMode: 'P95',
    degradedSamples: 20,
    expectedStatus: null,
    delayMinutes: null,
  },
  current: { ...TOTALS, degradations: 1, alerts: 6 },
  replayed: TOTALS,
  incidents: [
    {
      change: 'SAME',
      incidentId: INCIDENT_ID,
      startedAt: '2026-11-14T13:27:10.000Z',
      resolvedAt: '2026-11-14T13:34:50.000Z',
      resolution: 'RECOVERED',
      causeCode: 'UNEXPECTED_STATUS',
    },
  ],
  alerts: [
    {
      at: '2026-11-14T13:27:15.000Z',
      contactId: 'act_01m7e43y1ne6a8002504v5j15s',
      contactName: 'On-call',
      kind: 'DOWN',
    },
  ],
  complete: true,
}

export const EVIDENCE_OPERATIONS = [
  forKeys(own.getEvidenceFile, {
    tag,
    summary: 'Get an incident as a signed file',
    description:
      'The incident with its checks, observations and timeline, one JSON object per line, each with the hash of the line before; the last line signs all of them. `upv verify` checks it without this service.',
    reply: {
      description: 'The file.',
      example: { name: `${INCIDENT_ID}.upvane-evidence`, keyId: KEY_ID, text: '{…}\n' },
    },
  }),
  forKeys(own.getEvidenceKey, {
    tag,
    summary: 'Get the key of evidence files',
    description: 'The public key of this installation. It never changes: pin it.',
    reply: { description: 'The key.', example: KEY },
  }),
  forKeys(replay.replayMonitor, {
    tag,
    summary: 'Replay a monitor with other settings',
    description:
      'Which incidents and alerts the stored results would have caused with other settings. Nothing is changed. 30 a minute per organization.',
    reply: { description: 'What would have been.', example: REPLAY },
  }),
] as const
