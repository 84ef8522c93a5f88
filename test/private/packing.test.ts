// The janitor packs finished days while people read: every answer about checks is the same to the byte, before and after.
import assert from 'node:assert/strict'
import { randomInt } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { env } from 'node:process'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { toUuid } from '../kit/ids.ts'
import { seedIncident } from '../kit/seed.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, DAY, MINUTE, type Team } from './screens.ts'

const SEED = Number(env['SEED'] ?? randomInt(2 ** 31))
const PAST_DAYS = 4
const PERIODS = 12
const SINGLE_CHECKS = 15
const MAX_WAIT_MS = 60_000
const POLL_MS = 100

let fixture: AppFixture
let team: Team
let today: number
const monitors: string[] = []
const incidents: string[] = []
before(async () => {
  fixture = await startAppFixture({}, { own: true })
  team = await createTeam(fixture)
  today = Math.floor(Date.now() / DAY) * DAY
  await fixture.db.run(`insert into regions (name) values ('eu'), ('us') on conflict do nothing`)
  await fixture.db.run(`select ensure_partitions($1::date, $2)`, [dayOf(PAST_DAYS), PAST_DAYS])
  for (const [name, everySeconds] of [
    ['Every minute', 60],
    ['Every hour', 3600],
    ['Never checked', 0],
  ] as const) {
    const { id } = await team.createMonitor({
      name,
      type: 'HTTP',
      url: 'https://shop.example.com/',
    })
    monitors.push(id)
    if (everySeconds > 0) await generate(id, everySeconds)
    await addIncidents(id)
  }
})
after(() => fixture.stop())

const dayOf = (daysAgo: number) => new Date(today - daysAgo * DAY).toISOString().slice(0, 10)

/** The same numbers for the same seed. */
function randomOf(seed: number): (below: number) => number {
  let state = seed
  return (below) => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0
    return Math.floor((state / 2 ** 32) * below)
  }
}
const random = randomOf(SEED)

const INSERT = `
  insert into results (monitor_no, slot, kind, verdict, response_ms, status_code, region, detail)
  select m.no, u.slot, u.kind, u.verdict, u.ms, u.status, r.no, u.detail
    from monitors m,
         unnest($2::timestamptz[], $3::smallint[], $4::smallint[], $5::integer[], $6::smallint[], $7::text[],
                $8::integer[]) as u (slot, kind, verdict, ms, status, region, detail)
    left join regions r on r.name = u.region
   where m.id = $1`

/** Everything that occurs, at its slot or a little after it, with gaps. */
async function generate(monitorId: string, everySeconds: number): Promise<void> {
  const columns: unknown[][] = [[], [], [], [], [], [], []]
  for (let at = today - PAST_DAYS * DAY; at < today; at += everySeconds * 1000) {
    if (random(40) === 0) continue
    for (const [index, value] of anyResult(at).entries()) columns[index]?.push(value)
  }
  await fixture.db.run(INSERT, [toUuid(monitorId), ...columns])
}

function anyResult(at: number): unknown[] {
  const verdict = [0, 0, 0, 0, 1, 2, 3, 4][random(8)] ?? 0
  const hasResponse = verdict !== 3 && random(30) > 0
  const status = verdict === 2 ? 503 : 200
  return [
    new Date(at + (random(10) === 0 ? random(20_000) : 7_123)),
    Number(random(20) === 0),
    verdict,
    hasResponse ? random(random(20) === 0 ? 60_000 : 400) : null,
    hasResponse ? status : null,
    [null, 'eu', 'us'][random(3)],
    random(4) === 0 ? null : random(2 ** 32) | 0,
  ]
}

/** One within a day, and one through midnight into a day that is not packed. */
async function addIncidents(monitorId: string): Promise<void> {
  for (const [from, minutes] of [
    [today - 3 * DAY + 5 * 60 * MINUTE, 90],
    [today - DAY - 20 * MINUTE, 40],
  ] as const)
    incidents.push(
      await seedIncident(fixture.db, {
        orgId: team.orgId,
        monitorId,
        startedAt: new Date(from + 40),
        resolvedAt: new Date(from + minutes * MINUTE),
      }),
    )
}

/** Periods that ended: a response repeats their end, but now if it is later. Always the same for the same seed. */
function listPaths(): string[] {
  const draw = randomOf(SEED + 1)
  const instant = () => today - draw(PAST_DAYS * DAY)
  const paths: string[] = []
  for (const id of monitors) {
    const monitor = `/monitors/${id}`
    paths.push(
      `/exports${monitor}/checks.csv`,
      `/exports${monitor}/checks.csv?failed=true`,
      `${monitor}/response-times?${period(today - PAST_DAYS * DAY, today)}`,
    )
    for (let n = 0; n < PERIODS; n++) {
      const [one = 0, other = 0] = [instant(), instant()].toSorted((a, b) => a - b)
      const failed = n % 3 === 0 ? '&failed=true' : ''
      paths.push(
        `${monitor}/checks?${period(one, other)}&limit=${1 + draw(100)}${failed}`,
        `${monitor}/response-times?${period(one, Math.min(one + 1 + draw(DAY), today))}`,
      )
    }
  }
  return paths
}

function period(from: number, to: number): string {
  return new URLSearchParams({
    from: new Date(from).toISOString(),
    to: new Date(to).toISOString(),
  }).toString()
}

async function read(path: string): Promise<string> {
  const answer = await team.reader.get(`/organizations/${team.orgId}${path}`)
  assert.equal(answer.status, 200, `${path}: ${answer.text}`)
  return answer.text
}

/** Every page of the log, by cursor. */
async function readLog(monitorId: string, query: string): Promise<string[]> {
  const pages: string[] = []
  for (let cursor = ''; ; ) {
    const text = await read(`/monitors/${monitorId}/checks?${query}${cursor}`)
    pages.push(text)
    const { next } = JSON.parse(text) as { next: string | null }
    if (next === null) return pages
    cursor = `&cursor=${next}`
  }
}

async function readSingles(monitorId: string, pages: readonly string[]): Promise<string[]> {
  const all = pages.flatMap((text) => (JSON.parse(text) as { data: { at: string }[] }).data)
  const draw = randomOf(SEED + 2)
  const found: string[] = []
  for (let n = 0; n < Math.min(SINGLE_CHECKS, all.length); n++)
    found.push(await read(`/monitors/${monitorId}/checks/${all[draw(all.length)]?.at}`))
  return found
}

/** Without the time at which it was asked. A replay ends then, and there are no checks of today. */
async function readTimeless(path: string): Promise<unknown> {
  const { at: _at, from: _from, to: _to, ...rest } = JSON.parse(await read(path))
  return rest
}

let files = 0
/** In no order. */
async function readExport(): Promise<string[]> {
  const file = join(fixture.stack.directory, `packing-${files++}.json`)
  await fixture.operate(['org', 'export', team.orgId, '--file', file])
  const { tables } = JSON.parse(readFileSync(file, 'utf8')) as {
    tables: Record<string, object[]>
  }
  const names = Object.keys(tables).filter((name) => /pack/.test(name))
  assert.deepEqual(names, [])
  return (tables['results'] ?? []).map((row) => JSON.stringify(row)).toSorted()
}

async function readEverything() {
  const answers: Record<string, unknown> = {}
  for (const path of listPaths()) answers[path] = await read(path)
  for (const id of monitors) {
    const pages = await readLog(id, 'limit=97')
    answers[`${id} log`] = pages
    answers[`${id} failures`] = await readLog(id, 'limit=13&failed=true')
    answers[`${id} single checks`] = await readSingles(id, pages)
    for (const query of ['days=10', 'days=10&degradedThresholdMs=200&expectedStatus=503'])
      answers[`${id} replay ${query}`] = await readTimeless(`/monitors/${id}/replay?${query}`)
  }
  for (const id of incidents) answers[id] = await readTimeless(`/overview/incidents/${id}`)
  answers['organization export'] = await readExport()
  return answers
}

type Answers = Awaited<ReturnType<typeof readEverything>>

/** One by one: all of them are too much to print. */
function assertSame(now: Answers, before: Answers): void {
  assert.deepEqual(Object.keys(now), Object.keys(before))
  for (const [what, answer] of Object.entries(before)) assert.deepEqual(now[what], answer, what)
}

async function until(what: string, isSo: () => Promise<boolean>): Promise<void> {
  const deadline = performance.now() + MAX_WAIT_MS
  while (!(await isSo())) {
    assert.ok(performance.now() < deadline, `not in time: ${what}`)
    await sleep(POLL_MS)
  }
}

/** A janitor that works until then. */
async function clean(what: string, isDone: () => Promise<boolean>): Promise<void> {
  const janitor = await fixture.stack.start('janitor')
  try {
    await until(what, isDone)
  } finally {
    assert.equal(await janitor.stop(), 0)
  }
}

const countOf = (table: string, where = 'true') => fixture.db.count(table, where, [])

test(`log, charts, files, replay and incidents are the same after packing (SEED=${SEED})`, async (t) => {
  // Rolls up what was inserted, and cannot pack.
  await fixture.db.holding('select 1 from packing_progress for update', [], () =>
    clean('rolled up', async () => (await countOf('late_hours')) === 0),
  )
  assert.equal(await countOf('packed_days'), 0)
  const rows = await readEverything()
  assert.ok((rows['organization export'] as string[]).length > (PAST_DAYS - 1) * 1440)

  // All but yesterday, which is packed too if midnight passes.
  const isBefore = `day < '${dayOf(1)}'`
  await clean('packed', async () => (await countOf('packed_days', isBefore)) === PAST_DAYS - 1)
  assertSame(await readEverything(), rows)
  assert.equal(await countOf('results', `slot < '${dayOf(1)}T00:00Z'`), 0)
  const packs = await fixture.db.one<{ results: number; packs: number }>(
    'select sum(results)::int as results, count(*)::int as packs from result_packs',
  )
  t.diagnostic(JSON.stringify({ seed: SEED, answers: Object.keys(rows).length, ...packs }))

  // And when the rows they were packed from are gone.
  await fixture.db.run(`update packed_days set published_at = published_at - interval '2 hours'`)
  await clean('dropped', async () => (await countOf('pg_class', `relname ~ '^packed_rows'`)) === 0)
  assertSame(await readEverything(), rows)
})

test('a deleted monitor has no packs left', async () => {
  const [first = '', second = ''] = monitors
  const { no } = await fixture.db.one<{ no: string }>('select no from monitors where id = $1', [
    toUuid(first),
  ])
  assert.ok((await countOf('result_packs', `monitor_no = ${no}`)) > 0)
  const log = await readLog(second, 'limit=100')
  const reply = await team.owner.delete(`/organizations/${team.orgId}/monitors/${first}`)
  assert.equal(reply.status, 200, reply.text)
  // Instead of waiting until no statement can know it anymore.
  await fixture.db.run(`update deleted_monitors set deleted_at = deleted_at - interval '1 hour'`)
  await clean('purged', async () => (await countOf('deleted_monitors')) === 0)
  assert.equal(await countOf('result_packs', `monitor_no = ${no}`), 0)
  assert.deepEqual(await readLog(second, 'limit=100'), log)
})
