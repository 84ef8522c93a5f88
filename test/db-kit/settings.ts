import type { MonitorSettings } from '../../src/domain/monitor.ts'

/** What the API makes of the smallest HTTP monitor. */
export function settings(changes: Partial<MonitorSettings> = {}): MonitorSettings {
  return {
    name: 'Website',
    type: 'HTTP',
    url: 'https://example.com/',
    host: null,
    port: null,
    method: 'GET',
    expectedStatus: [200],
    requestHeaders: null,
    requestBody: null,
    followRedirects: true,
    verifySsl: true,
    keyword: null,
    keywordMatch: 'EXISTS',
    dnsRecordType: 'A',
    dnsExpected: null,
    dnsAlertOnChange: true,
    sslExpiryThresholdDays: 2,
    intervalSeconds: 300,
    timeoutSeconds: 30,
    expectedPeriodSec: null,
    graceSeconds: 60,
    degradedThresholdMs: null,
    degradedThresholdMode: 'LAST',
    degradedSamples: 3,
    ...changes,
  }
}
