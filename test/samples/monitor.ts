import { defaultsOf } from '../../src/domain/fields/field.ts'
import {
  MONITOR_SETTINGS,
  type Monitor,
  type MonitorSettings,
} from '../../src/domain/monitors/monitor.ts'

/** The settings of the smallest HTTP monitor with all defaults, for tests and benchmarks. */
export function sampleSettings(given: Partial<MonitorSettings> = {}): MonitorSettings {
  return {
    ...defaultsOf(MONITOR_SETTINGS),
    name: 'Shop',
    type: 'HTTP',
    url: 'https://shop.example/',
    expectedStatus: [200],
    ...given,
  }
}

/** A monitor with every default of the contract, for tests and benchmarks. */
export function sampleMonitor(given: Partial<Monitor> = {}): Monitor {
  return {
    no: 1,
    uuid: '019aa000-0000-7000-8000-0000000000ff',
    ...sampleSettings(),
    state: 'UP',
    epoch: 4,
    nextDueAt: new Date('2026-11-14T22:41:00Z'),
    lastCheckedAt: new Date('2026-11-14T22:36:00Z'),
    lastStatusChangedAt: new Date('2026-11-01T00:00:00Z'),
    lastResponseMs: 120,
    certExpiresAt: new Date('2027-01-01T00:00:00Z'),
    heartbeat: null,
    heartbeatToken: null,
    createdAt: new Date('2026-11-01T00:00:00Z'),
    updatedAt: new Date('2026-11-01T00:00:00Z'),
    ...given,
  }
}
