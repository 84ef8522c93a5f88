import { formatAgo } from '../../time/format.ts'

const MINUTE_MS = 60_000

/** `2 min ago`. Less than a minute, or slightly in the future because clocks differ, is `just now`. */
export function agoLabel(at: string, now: number): string {
  return now - Date.parse(at) < MINUTE_MS ? 'just now' : formatAgo(at, now)
}
