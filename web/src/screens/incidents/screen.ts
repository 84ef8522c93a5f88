import type { ResponseOf } from '../../api/contract.ts'
import { incidentText } from '../../messages/incidents.ts'
import { formatDay, formatMoment } from '../../time/format.ts'

export type IncidentScreen = ResponseOf<'GET /overview/incidents/{incidentId}'>

export const titleOf = ({
  monitor,
  resolvedAt,
}: Pick<IncidentScreen, 'monitor' | 'resolvedAt'>): string =>
  resolvedAt === null ? incidentText.isDown(monitor.name) : incidentText.wasDown(monitor.name)

/** Who acknowledged it and when; undefined if no one did. */
export function acknowledgedSentence({
  acknowledgedBy,
  acknowledgedAt,
}: Pick<IncidentScreen, 'acknowledgedBy' | 'acknowledgedAt'>): string | undefined {
  if (acknowledgedBy === null || acknowledgedAt === null) return undefined
  const now = Date.now()
  const moment = formatMoment(acknowledgedAt, now)
  const { type, name } = acknowledgedBy
  const by = type === 'ALERT_CONTACT' ? incidentText.byLink(name) : name
  return formatDay(acknowledgedAt, now) === formatDay(now, now)
    ? incidentText.acknowledgedToday(by, moment)
    : incidentText.acknowledgedOn(by, moment)
}
