// Hides what must not end up in a terminal's history or a build log.
import type { Monitor } from '@upvane/sdk'

const HIDDEN = '***'

/** Request headers, the request body and the heartbeat URL may hold secrets. */
export function maskMonitor(monitor: Monitor, showSecrets: boolean): Monitor {
  if (showSecrets) return monitor
  const { requestHeaders, requestBody, heartbeatUrl } = monitor
  const names = Object.keys(requestHeaders ?? {})
  return {
    ...monitor,
    requestHeaders:
      requestHeaders && Object.fromEntries(names.map((name) => [name, HIDDEN] as const)),
    requestBody: requestBody && HIDDEN,
    heartbeatUrl: heartbeatUrl && HIDDEN,
  }
}
