// Ways to send too many requests at once.
import { setTimeout as sleep } from 'node:timers/promises'
import { Outcomes } from '../own-faults.ts'
import { asBrowser, createSender, type Send, type Sender, type Sent } from '../send.ts'
import type { Grounds, Tally } from './grounds.ts'

// Connections are limited per address, so attacks that hold many of them use separate addresses.
export const ADDRESSES = { requests: '127.0.0.66', bodies: '127.0.0.67', streams: '127.0.0.68' }

export const LOWEST_PRIORITY = 19

export type Hits = {
  tally: Tally
  /** With the next key each time. */
  byKey(request: Send): Promise<Sent>
  bySession(cookie: string, request: Send): Promise<Sent>
  bare(request: Send): Promise<Sent>
  close(): void
}

// Every key has its own rate limit: what one attack uses up is not missing in the next.
const KEYS: Readonly<Record<string, [from: number, to: number]>> = {
  write: [0, 15],
  // Those of writes, at another time.
  all: [0, 8],
  publish: [15, 20],
  check: [20, 24],
  event: [24, 30],
  windows: [30, 32],
  repeat: [32, 34],
  bodies: [34, 36],
  whole: [36, 40],
}
const OTHER_KEYS = [40, 49] as const
export const ATTACKER_KEYS = 49

/** `label` names what is counted, and selects the keys. */
export function openHits({ baseUrl, keys: all }: Grounds, label: string): Hits {
  const [from, to] = KEYS[label] ?? OTHER_KEYS
  const keys = all.slice(from, to)
  const tally: Tally = {}
  const sender: Sender = createSender(baseUrl, ADDRESSES.requests)
  const outcomes = new Outcomes()
  let turn = 0
  const bare = async (request: Send) => {
    const answer = await sender.send(request)
    const { status, retryAfter } = answer
    count(tally, `${label} ${outcomes.nameOf({ path: request.path, status, retryAfter })}`)
    return answer
  }
  return {
    tally,
    bare,
    byKey: (request) => {
      const headers = { 'X-API-Key': keys[turn++ % keys.length] ?? '', ...request.headers }
      return bare({ ...request, path: `/api/v1${request.path}`, headers })
    },
    bySession: (cookie, request) => {
      const headers = { ...asBrowser(cookie), ...request.headers }
      return bare({ ...request, path: `/app/api${request.path}`, headers })
    },
    close: () => sender.close(),
  }
}

export function count(tally: Tally, what: string, times = 1): void {
  tally[what] = (tally[what] ?? 0) + times
}

export function addUp(tallies: readonly Tally[]): Tally {
  const sum: Tally = {}
  for (const tally of tallies)
    for (const [what, times] of Object.entries(tally)) count(sum, what, times)
  return sum
}

type Burst = { size: number; everyMs: number; endMs: number }

/** That many at once, again once all have responses, but not more often than `everyMs`. */
export async function inBursts(
  { size, everyMs, endMs }: Burst,
  hit: (number: number) => Promise<unknown>,
): Promise<void> {
  let number = 0
  while (Date.now() < endMs) {
    const nextMs = Date.now() + everyMs
    await Promise.race([
      Promise.all(Array.from({ length: size }, () => hit(number++))),
      sleep(Math.max(0, endMs - Date.now())),
    ])
    await sleep(Math.max(0, Math.min(nextMs, endMs) - Date.now()))
  }
}
