// What a monitor checks, without the parts of an address that may hold a credential.
import { targetOf } from '../monitors/list-order.ts'
import type { MonitorSettings } from '../monitors/monitor.ts'

type Targeted = Pick<MonitorSettings, 'type' | 'url' | 'host' | 'port'>

/** Without user info, query and fragment. Empty for CRON: its address is a secret. */
export function shownTarget(monitor: Targeted): string {
  return withoutCredentials(targetOf(monitor) ?? '')
}

function withoutCredentials(target: string): string {
  const bare = cutAt(cutAt(target, '#'), '?')
  const scheme = bare.indexOf('://')
  const start = scheme === -1 ? 0 : scheme + '://'.length
  const end = endOfAuthority(bare, start)
  const authority = bare.slice(start, end)
  const host = authority.slice(authority.lastIndexOf('@') + 1)
  return bare.slice(0, start) + host + bare.slice(end)
}

/** WHATWG URLs end the authority at a backslash too. */
function endOfAuthority(text: string, start: number): number {
  const ends = ['/', '\\'].map((mark) => text.indexOf(mark, start)).filter((at) => at !== -1)
  return Math.min(text.length, ...ends)
}

function cutAt(text: string, mark: string): string {
  const at = text.indexOf(mark)
  return at === -1 ? text : text.slice(0, at)
}
