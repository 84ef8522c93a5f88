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

export type Step = {
  name: string
  text: string
  values(size: HistorySize, orgId: string): unknown[]
}
