// Reduces a monitor to what a probe needs to know.
import type { CheckTarget } from '../../checks/check.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'

/** Validation of the monitor guarantees that the fields its type needs are set. */
export function toTarget(monitor: MonitorSettings): CheckTarget {
  const { timeoutSeconds, verifySsl, dnsRecordType, dnsExpected, keywordMatch } = monitor
  const { url, host, port, keyword } = withoutNulls(monitor)
  switch (monitor.type) {
    case 'HTTP':
      return { type: 'HTTP', ...toHttp(monitor, url) }
    case 'KEYWORD':
      return { type: 'KEYWORD', ...toHttp(monitor, url), keyword, keywordMatch }
    case 'PING':
      return { type: 'PING', host, timeoutSeconds }
    case 'PORT':
      return { type: 'PORT', host, port, timeoutSeconds }
    case 'DNS':
      return { type: 'DNS', url, dnsRecordType, dnsExpected, timeoutSeconds }
    case 'SSL':
      return { type: 'SSL', url, verifySsl, timeoutSeconds }
    case 'DOMAIN':
      return { type: 'DOMAIN', url, timeoutSeconds }
    case 'CRON':
      throw new Error('A CRON monitor is not looked at')
  }
}

function withoutNulls({ url, host, port, keyword }: MonitorSettings) {
  return { url: url ?? '', host: host ?? '', port: port ?? 0, keyword: keyword ?? '' }
}

function toHttp(monitor: MonitorSettings, url: string) {
  return {
    url,
    method: monitor.method,
    requestHeaders: monitor.requestHeaders,
    requestBody: monitor.requestBody,
    expectedStatus: monitor.expectedStatus,
    followRedirects: monitor.followRedirects,
    verifySsl: monitor.verifySsl,
    timeoutSeconds: monitor.timeoutSeconds,
  }
}
