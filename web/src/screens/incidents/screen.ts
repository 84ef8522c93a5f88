import type { ResponseOf } from '../../api/contract.ts'
import { incidentText } from '../../messages/incidents.ts'
import { formatDay, formatMoment } from '../../time/format.ts'

export type IncidentScreen = ResponseOf<'GET /overview/incidents/{incidentId}'>

export const titleOf = ({
  monitor,
  resolvedAt,
}: Pick<IncidentScreen, 'monitor' | 'resolvedAt'>): string =>
  resolvedAt === null
    ? incidentText.isDown({ monitor: monitor.name })
    : incidentText.wasDown({ monitor: monitor.name })

/** Who acknowledged it and when; undefined if no one did. */
export function acknowledgedSentence({
  acknowledgedBy,
  acknowledgedAt,
}: Pick<IncidentScreen, 'acknowledgedBy' | 'acknowledgedAt'>): string | undefined {
  if (acknowledgedBy === null || acknowledgedAt === null) return undefined
  const now = Date.now()
  const moment = formatMoment(acknowledgedAt, now)
  const { type, name } = acknowledgedBy
  const by = type === 'ALERT_CONTACT' ? incidentText.byLink({ contact: name }) : name
  return formatDay(acknowledgedAt, now) === formatDay(now, now)
    ? incidentText.acknowledgedToday({ name: by, clock: moment })
    : incidentText.acknowledgedOn({ name: by, moment })
}

/** Where no message is listed: whether any was sent or will be. */
export function noAlertsSentence({
  alerting,
  resolvedAt,
}: Pick<IncidentScreen, 'alerting' | 'resolvedAt'>): string {
  const { alertsComing, alertsGone, escalationEnded, noAlerts } = incidentText.aside
  if (alerting === 'ALERTED') return alertsGone
  if (resolvedAt !== null) return noAlerts
  if (alerting === 'ACKNOWLEDGED') return escalationEnded
  return alerting === 'ON' ? alertsComing : noAlerts
}

type Published = IncidentScreen['published'][number]

/** What is published about it: the newest that is open, or else the newest. */
export function currentPublished({
  published,
}: Pick<IncidentScreen, 'published'>): Published | undefined {
  return published.findLast(({ status }) => status !== 'RESOLVED') ?? published.at(-1)
}
