// Maintenance windows by the clock of the service: the clock of this machine may be wrong.
import type { MaintenanceWindow, Upvane } from '@upvane/sdk'

export type Clock = () => Date

// The service's `Date` header has whole seconds, and the response was on its way for a moment.
const PRECISION_MS = 2000

/** Asks the service for its time, once. */
export async function serverClock(upvane: Upvane): Promise<Clock> {
  const { response } = await upvane.maintenanceWindows.list().page({ limit: 1 }).withResponse()
  const offsetMs = readOffset(response.headers.get('date'), Date.now())
  return () => new Date(Date.now() + offsetMs)
}

/** Milliseconds to add to this machine's clock. A difference within the precision counts as none. */
export function readOffset(header: string | null, nowMs: number): number {
  const serverMs = header === null ? Number.NaN : Date.parse(header)
  if (Number.isNaN(serverMs)) return 0
  const offsetMs = serverMs - nowMs
  return Math.abs(offsetMs) <= PRECISION_MS ? 0 : offsetMs
}

/** A moment that has surely begun for the service. Windows start there, and end there at once. */
export function justPassed(clock: Clock): Date {
  return new Date(clock().getTime() - PRECISION_MS)
}

/** Ends a one-off window that has begun. */
export function endWindow(upvane: Upvane, id: string, clock: Clock): Promise<MaintenanceWindow> {
  return upvane.maintenanceWindows.update(id, { endsAt: justPassed(clock) })
}
