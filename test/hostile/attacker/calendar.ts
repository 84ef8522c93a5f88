// A calendar that is costly to compute, requested again and again.
import type { Attack, Run, Tally } from './grounds.ts'
import { addUp, inBursts, openHits } from './load.ts'

const WINDOWS = 400
const AT_ONCE = 8
const DAY_MS = 86_400_000

async function prepare({ grounds }: Run): Promise<void> {
  const hits = openHits(grounds, 'window')
  const listed = await hits.byKey({ path: '/maintenance-windows?limit=1' })
  const { pagination } = JSON.parse(listed.text) as { pagination: { total: number } }
  for (let made = pagination.total; made < WINDOWS; made += AT_ONCE)
    await Promise.all(
      Array.from({ length: AT_ONCE }, async (_, index) => {
        const answer = await hits.byKey({
          method: 'POST',
          path: '/maintenance-windows',
          body: daily(made + index),
        })
        if (answer.status !== 201) throw new Error(`window: ${answer.status} ${answer.text}`)
      }),
    )
}

function daily(number: number): object {
  // Another one starts every few minutes, and lasts most of a day.
  const startsMs = Date.now() + 3_600_000 + number * 200_000
  return {
    name: `Window ${number}`,
    description: '*a_'.repeat(600),
    startsAt: new Date(startsMs).toISOString(),
    endsAt: new Date(startsMs + 20 * 3_600_000).toISOString(),
    timezone: 'America/New_York',
    recurrence: { frequency: 'DAILY', interval: 1 },
    allMonitors: true,
    notifySubscribers: false,
  }
}

async function readCalendar({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'calendar')
  const { orgId, readers } = grounds
  await inBursts({ size: 8, everyMs: 100, endMs }, (number) => {
    const from = new Date(Date.now() + (number % 50) * DAY_MS)
    const to = new Date(from.getTime() + 99 * DAY_MS)
    const query = new URLSearchParams({ from: from.toISOString(), to: to.toISOString() })
    return hits.bySession(readers.calendar, {
      path: `/organizations/${orgId}/overview/calendar?${query}`,
    })
  })
  return hits.tally
}

async function readWindows({ grounds, endMs }: Run): Promise<Tally> {
  const hits = openHits(grounds, 'windows')
  await inBursts({ size: 4, everyMs: 250, endMs }, (number) =>
    number % 2 === 0
      ? hits.byKey({ path: '/maintenance-windows?limit=100' })
      : hits.bare({ path: `/status/${grounds.slug}` }),
  )
  return hits.tally
}

export const calendar: Attack = {
  prepare,
  attack: async (run) => addUp(await Promise.all([readCalendar(run), readWindows(run)])),
}
