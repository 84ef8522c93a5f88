// The states in which every screen is captured.
import { join } from 'node:path'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { findThings, type Running } from './acme.ts'
import { Camera, signIn, THEMES, type View, WIDTHS } from './camera.ts'
import { listRouteShots, listShots } from './screens.ts'
import { breakReads, type Shot } from './shot.ts'

export type { Running } from './acme.ts'
export type State = 'normal' | 'faults' | 'long' | 'empty' | 'large'

const EVERY: readonly View[] = WIDTHS.flatMap((width) => THEMES.map((theme) => ({ width, theme })))
const FEW: readonly View[] = [
  { width: 1440, theme: 'light' },
  { width: 390, theme: 'dark' },
]

/** Returns one line per fault. */
export async function shootDemo(
  browser: Browser,
  running: Running,
  { folder, state, only, zone }: { folder: string; state: State; only: string; zone: string },
): Promise<string[]> {
  if (state === 'long') await lengthenNames(running.databaseUrl)
  const things = await findThings(running)
  const camera = new Camera(
    browser,
    running.baseUrl,
    await signIn(browser, running.baseUrl, running.person),
    zone,
  )
  const shots =
    state === 'normal' || state === 'long'
      ? listShots(things)
      : listRouteShots(things, { isEmpty: state === 'empty' })
  const looks = state === 'faults' || state === 'large' ? FEW : EVERY
  const faults: string[] = []
  for (const shot of shots.filter(({ name }) => name.includes(only)))
    for (const look of looks)
      for (const [part, before] of waysOf(state, shot)) {
        const where = { folder: join(folder, state + part), ...(before && { before }) }
        const found = await camera.take(shot, look, where).catch((error: Error) => [error.message])
        faults.push(
          ...found.map((fault) => `${shot.name}${part}, ${look.width} ${look.theme}: ${fault}`),
        )
      }
  return faults
}

function waysOf(state: State, { isAuth }: Shot): [string, Shot['before']][] {
  if (state !== 'faults') return [['', undefined]]
  if (isAuth) return []
  return [
    ['-500', (page) => breakReads(page, 'FAULT')],
    ['-away', (page) => breakReads(page, 'AWAY')],
  ]
}

// The longest possible names, with and without a place to break.
const WITH_SPACES =
  'A name with everything that somebody knew about it when they were asked for one, '
const WITHOUT = 'Donaudampfschifffahrtselektrizitätenhauptbetriebswerkbauunterbeamtengesellschaft'
const long = (column: string, order: string) =>
  `${column} = left(case when ${order} then repeat('${WITH_SPACES}', 2) else repeat('${WITHOUT}', 2) end, 120)`
const LENGTHEN = [
  `update monitors set ${long('name', 'no % 2 = 0')},
          url = case when url like 'https:%' then url || '/' || repeat('a-long-path/', 12) else url end`,
  ...[
    'alert_contacts',
    'api_keys',
    'status_pages',
    'maintenance_windows',
    'organizations',
    'users',
  ].map((table) => `update ${table} set ${long('name', `id::text ~ '[0-7]$'`)}`),
  `update incidents set cause = left(repeat('${WITH_SPACES}', 6), 480), acknowledged_by_name =
          case when acknowledged_by_name is not null then left('${WITHOUT}', 120) end`,
  `update webhook_endpoints set description = repeat('${WITHOUT}', 4),
          url = url || '/' || repeat('a-long-path/', 12)`,
  `update audit_log set actor_name = left('${WITHOUT}', 120) where id::text ~ '[0-7]$'`,
  `update status_incidents set title = left(repeat('${WITHOUT}', 3), 200)`,
]

async function lengthenNames(databaseUrl: string): Promise<void> {
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  for (const text of LENGTHEN) await client.query(text)
  await client.end()
}
