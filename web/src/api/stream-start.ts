// Where the event stream of an organization has to start: at the oldest read on the screen.

const starts = new Map<string, string>()

/** The oldest one counts: a stream from there repeats what newer reads know, and misses nothing. */
export function noteStart(organizationId: string, start: string | null): void {
  if (start === null || start === '') return
  const known = starts.get(organizationId)
  if (known === undefined || isBefore(start, known)) starts.set(organizationId, start)
}

export const findStart = (organizationId: string): string | undefined => starts.get(organizationId)

/** The reads from now on belong to the next stream. */
export function forgetStart(organizationId: string): void {
  starts.delete(organizationId)
}

/** A position begins with its time, in milliseconds. */
const timeOf = (start: string): number => Number.parseInt(start.split('-')[0] ?? '', 36)

export const isBefore = (start: string, other: string): boolean => timeOf(start) < timeOf(other)
