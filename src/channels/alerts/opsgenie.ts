// Opsgenie and its successor, Jira Service Management. Both have the same API for alerts: an outage creates an alert,
// and the recovery closes it by its alias.
import {
  type Alert,
  alertText,
  closes,
  headline,
  severityOf,
  truncate,
} from '../../domain/alerts/alert.ts'
import {
  type AlertChannel,
  type AlertRequest,
  JSON_HEADERS,
  judgeByStatus,
} from './alert-channel.ts'

const PRIORITIES = { CRITICAL: 'P1', WARNING: 'P3', INFO: 'P5' } as const

export const opsgenie: AlertChannel<'OPSGENIE'> = {
  request(alert, { apiKey, region }, origins) {
    const origin =
      region === 'EU' ? origins.OPSGENIE.replace('//api.', '//api.eu.') : origins.OPSGENIE
    return toRequest(alert, origin, apiKey)
  },
  judge: judgeByStatus,
}

export const jiraServiceManagement: AlertChannel<'JIRA_SERVICE_MANAGEMENT'> = {
  request(alert, { apiKey }, origins) {
    return toRequest(alert, `${origins.JIRA_SERVICE_MANAGEMENT}/jsm/ops/integration`, apiKey)
  },
  judge: judgeByStatus,
}

function toRequest(alert: Alert, base: string, apiKey: string): AlertRequest {
  const alias = truncate(alert.thread, 512)
  const headers = { ...JSON_HEADERS, authorization: `GenieKey ${apiKey}` }
  if (closes(alert)) {
    const url = `${base}/v2/alerts/${encodeURIComponent(alias)}/close?identifierType=alias`
    const body = { source: 'Upvane', note: alert.summary }
    return { url, headers, body: JSON.stringify(body) }
  }
  return { url: `${base}/v2/alerts`, headers, body: JSON.stringify(openingOf(alert, alias)) }
}

function openingOf(alert: Alert, alias: string) {
  return {
    message: truncate(headline(alert), 130),
    alias,
    description: `${alertText(alert)}\n${alert.links.open}`,
    details: Object.fromEntries(alert.facts.map(({ label, value }) => [label, value])),
    entity: alert.organization,
    source: 'Upvane',
    priority: PRIORITIES[severityOf(alert)],
  }
}
