// A duration in the units that people read.
export type DurationUnit = 'd' | 'h' | 'min' | 's'

const MINUTE = 60
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

/** The largest unit and the one below it, without zeros: an hour and five seconds is an hour. */
export function durationParts(seconds: number): [count: number, unit: DurationUnit][] {
  const parts: [number, DurationUnit][] = [
    [Math.floor(seconds / DAY), 'd'],
    [Math.floor(seconds / HOUR) % 24, 'h'],
    [Math.floor(seconds / MINUTE) % 60, 'min'],
    [seconds % MINUTE, 's'],
  ]
  const first = parts.findIndex(([count]) => count > 0)
  return first === -1 ? [] : parts.slice(first, first + 2).filter(([count]) => count > 0)
}
