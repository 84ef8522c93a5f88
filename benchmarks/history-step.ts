export type HistorySize = {
  monitors: number
  /** Of spans, incidents and roll-ups. */
  days: number
  /** Of single results, deliveries and alerts. */
  rawDays: number
  /** So many monitors have a result every minute, or the rows would fill a disk. */
  denseMonitors: number
  /** Minutes from one result to the next of all the others, and the days of hours they have. */
  sparseMinutes: number
  sparseHourDays: number
}

export type Step = {
  name: string
  text: string
  values(size: HistorySize, orgId: string): unknown[]
}
