// A monitor as it is read, created and changed. Its settings are those of the domain.
import type { Static } from 'typebox'
import { MONITOR_SETTINGS, MONITOR_STATES } from '../../domain/monitors/monitor.ts'
import { examplesOf, shownFields, writableFields } from '../fields.ts'
import { closed, id, input, nullable, oneOf, patch, timestamp } from '../schema.ts'
import { Type } from '../type.ts'

const { name, type, ...settings } = shownFields(MONITOR_SETTINGS)

/** Every response with a monitor has exactly these 33 fields. The set is closed in version 1. */
export const MonitorBody = closed({
  id: id('Id of the monitor.'),
  name,
  type,
  state: oneOf(MONITOR_STATES, {
    description: 'PENDING waits for its first check. DEGRADED is up, but slow or soon to expire.',
  }),
  ...settings,
  heartbeatUrl: nullable(Type.String({ description: 'Address your job pings. Only for CRON.' })),
  lastCheckedAt: nullable(timestamp('End of the last check, or the last ping of a CRON monitor.')),
  lastStatusChangedAt: nullable(timestamp('When `state` last changed. Null until it did.')),
  lastResponseMs: nullable(
    Type.Integer({ description: 'Milliseconds the last check took. Null without a response.' }),
  ),
  certExpiresAt: nullable(timestamp('End of validity of the certificate seen last.')),
  createdAt: timestamp('When it was created.'),
  updatedAt: timestamp('When its settings last changed. Checks do not touch it.'),
})
export type MonitorBody = Static<typeof MonitorBody>

const writable = writableFields(MONITOR_SETTINGS)

export const MonitorCreate = input(writable)
export type MonitorCreate = Static<typeof MonitorCreate>

export const MonitorUpdate = patch(writable)
export type MonitorUpdate = Static<typeof MonitorUpdate>

const { name: exampleName, type: exampleType, ...exampleSettings } = examplesOf(MONITOR_SETTINGS)

export const MONITOR_EXAMPLE: MonitorBody = {
  id: 'mon_01m7e3dhx0e008000mxrf1bnxa',
  name: exampleName,
  type: exampleType,
  state: 'UP',
  ...exampleSettings,
  heartbeatUrl: null,
  lastCheckedAt: '2026-11-14T22:39:00.000Z',
  lastStatusChangedAt: '2026-11-02T04:17:31.212Z',
  lastResponseMs: 184,
  certExpiresAt: '2027-01-30T23:59:59.000Z',
  createdAt: '2026-09-01T08:00:00.000Z',
  updatedAt: '2026-10-12T15:20:44.903Z',
}
