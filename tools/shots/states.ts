// The states in which every screen is captured.
import { join } from 'node:path'
import pg from 'pg'
import type { Browser } from 'playwright-core'
import { findThings, type Running } from './acme.ts'
import { Camera, signIn, THEMES, type View, WIDTHS } from './camera.ts'
import type { Things } from './routes.ts'
import { listRouteShots, listShots } from './screens.ts'
import { breakReads, type Shot } from './shot.ts'

export type { Running } from './acme.ts'
export type State = 'normal' | 'faults' | 'tags' | 'long' | 'empty' | 'large'

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
  await change(running.databaseUrl, CHANGES[state] ?? [])
  const things = await findThings(running)
  const camera = new Camera(
    browser,
    running.baseUrl,
    await signIn(browser, running.baseUrl, running.person),
    zone,
  )
  const words = only.split(' ')
  const wanted = shotsOf(state, things)
    .flatMap((shot) => looksOf(state).map((look) => ({ shot, look })))
    .filter(({ shot: { name }, look: { width, theme } }) =>
      words.every((word) => `${name} ${width} ${theme}`.includes(word)),
    )
  const faults: string[] = []
  for (const { shot, look } of wanted)
    for (const [part, before] of waysOf(state, shot)) {
      const where = { folder: join(folder, state + part), ...(before && { before }) }
      const found = await camera.take(shot, look, where).catch((error: Error) => [error.message])
      faults.push(
        ...found.map((fault) => `${shot.name}${part}, ${look.width} ${look.theme}: ${fault}`),
      )
    }
  return faults
}

const looksOf = (state: State): readonly View[] =>
  state === 'faults' || state === 'large' ? FEW : EVERY

function shotsOf(state: State, things: Things): Shot[] {
  if (state === 'normal' || state === 'long') return listShots(things)
  const shots = listRouteShots(things, { isEmpty: state === 'empty' })
  return state === 'tags' ? shots.filter(({ name }) => name.startsWith('monitors')) : shots
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

const TAGS = ['production', 'customer facing services', 'eu', 'payments', 'on call at night']
// Every other monitor has two, as people use them: short ones, long ones, one that most have.
const TAG = [
  ...TAGS.map(
    (name) => `insert into tags (id, org_id, name, key)
      select gen_random_uuid(), org_id, '${name}', '${name}' from monitors group by org_id`,
  ),
  `insert into monitor_tags (org_id, tag_id, monitor_id)
   select m.org_id, t.id, m.id from monitors m join tags t on t.org_id = m.org_id
    where m.no % 2 = 0 and (t.name = 'production' or t.name = (array['${TAGS.slice(1).join("', '")}'])[m.no / 2 % 4 + 1])`,
]

const CHANGES: Partial<Record<State, readonly string[]>> = { long: LENGTHEN, tags: TAG, large: TAG }

async function change(databaseUrl: string, texts: readonly string[]): Promise<void> {
  if (texts.length === 0) return
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  for (const text of texts) await client.query(text)
  await client.end()
}
