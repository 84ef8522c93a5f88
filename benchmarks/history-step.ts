export type HistorySize = {
  monitors: number
  /** Days of spans, incidents and roll-ups. */
  days: number
  /** Days of single results, deliveries and alerts. */
  rawDays: number
  /** Only this many monitors have a result every minute, or the rows would fill a disk. */
  denseMonitors: number
  /** For all the others: minutes between results, and days of hourly roll-ups. */
  sparseMinutes: number
  sparseHourDays: number
}

/** For parseArgs: the options from which `historySize` is read. */
export const SIZE_OPTIONS = {
  monitors: { type: 'string', default: '5000' },
  days: { type: 'string', default: '90' },
  'raw-days': { type: 'string', default: '30' },
  dense: { type: 'string', default: '40' },
  'sparse-minutes': { type: 'string', default: '60' },
  'sparse-hour-days': { type: 'string', default: '90' },
} as const

export function historySize(values: Record<keyof typeof SIZE_OPTIONS, string>): HistorySize {
  return {
    monitors: Number(values.monitors),
    days: Number(values.days),
    rawDays: Number(values['raw-days']),
    denseMonitors: Number(values.dense),
    sparseMinutes: Number(values['sparse-minutes']),
    sparseHourDays: Number(values['sparse-hour-days']),
  }
}

export type Step = {
  name: string
  text: string
  values(size: HistorySize, orgId: string): unknown[]
}
