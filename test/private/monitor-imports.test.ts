// Import of monitors from CSV: what a file would create, rounds that can be repeated, limits, and hostile files.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { toUuid } from '../kit/ids.ts'
import { type AppFixture, startAppFixture } from './fixture.ts'
import { createTeam, type Team } from './screens.ts'

const ROUND = 50
const MAX_ROWS = 1000
const MAX_CHARACTERS = 1_000_000

type Row = {
  line: number
  name: string
  target: string | null
  tags: string[]
  exists: boolean
  problems: { path: string; message: string }[]
  monitor: Record<string, unknown>
}
type Preview = { rows: Row[]; ignored: string[]; room: number | null }
type Result = { created: number; existing: number; refused: { line: number; message: string }[] }

let fixture: AppFixture
before(async () => {
  fixture = await startAppFixture()
})
after(() => fixture.stop())

const at = (team: Team, path: string) => `/organizations/${team.orgId}${path}`
const preview = (team: Team, csv: unknown) =>
  team.member.post(at(team, '/monitor-import-previews'), { csv })
const readPreview = async (team: Team, csv: string) => {
  const answer = await preview(team, csv)
  assert.equal(answer.status, 200, answer.text)
  return answer.json as Preview
}
const toRows = (rows: readonly Row[]) =>
  rows.map(({ line, monitor, tags }) => ({ line, monitor, tags }))
const importRows = (team: Team, rows: readonly object[]) =>
  team.member.post(at(team, '/monitor-imports'), { rows })

async function namesOf(team: Team): Promise<string[]> {
  const { data } = await team.read('monitors', '/overview/monitors?sort=name&limit=100')
  return data.map(({ name }) => name)
}

test('an export of one organization is imported into another, and again without duplicates', async () => {
  const source = await createTeam(fixture)
  const monitors = [
    { name: '=Shop, "EU"', type: 'HTTP', url: 'https://shop.example/', intervalSeconds: 60 },
    { name: 'Text', type: 'KEYWORD', url: 'https://text.example/', keyword: '=EUR' },
    { name: 'DB', type: 'PORT', host: 'db.example', port: 5432 },
    { name: 'Router', type: 'PING', host: 'router.example' },
    { name: 'Backup', type: 'CRON', expectedPeriodSec: 7200 },
    { name: 'Mail', type: 'DNS', url: 'example.com' },
  ]
  for (const monitor of monitors) {
    const { id } = await source.createMonitor(monitor)
    if (monitor.type === 'HTTP')
      await source.member.post(at(source, `/monitors/${id}/tags`), { names: ['Prod', 'eu'] })
  }
  const csv = (await source.reader.get(at(source, '/exports/monitors.csv'))).text

  const team = await createTeam(fixture)
  const { rows, ignored } = await readPreview(team, csv)
  assert.deepEqual(ignored, [])
  assert.deepEqual(
    rows.flatMap(({ problems }) => problems),
    [],
  )
  const first = (await importRows(team, toRows(rows))).json as Result
  assert.deepEqual(first, { created: monitors.length, existing: 0, refused: [] })
  const copy = (await team.reader.get(at(team, '/exports/monitors.csv'))).text
  const settings = (file: string) =>
    file
      .split('\r\n')
      .map((line) => line.replaceAll(/"mon_\w+"|"\d{4}-[^"]+"/g, ''))
      .toSorted()
  assert.deepEqual(settings(copy), settings(csv))

  const again = (await importRows(team, toRows(rows))).json as Result
  assert.deepEqual(again, { created: 0, existing: monitors.length, refused: [] })
  assert.ok((await readPreview(team, csv)).rows.every(({ exists }) => exists))
  const { data } = (await team.owner.get(at(team, '/audit-log'))).json as {
    data: { action: string; count: number; verb: string }[]
  }
  assert.deepEqual(
    data.map(({ action, count, verb }) => [action, count, verb]),
    [
      ['importMonitors', 0, 'IMPORT'],
      ['importMonitors', monitors.length, 'IMPORT'],
    ],
  )
})

test('previewMonitorImport: each bad row has its own problem, the same row twice is one monitor', async () => {
  const team = await createTeam(fixture)
  await team.createMonitor({ name: 'Old', type: 'HTTP', url: 'https://old.example' })
  const { rows } = await readPreview(
    team,
    [
      'name,type,url,host,intervalSeconds,tags',
      'Old,,https://old.example,,,',
      'New,,new.example,,,eu',
      'New,,https://new.example,,,',
      ',,https://a.example,,,',
      'A,FTP,https://a.example,,,',
      'B,,javascript:alert(1),,,',
      'C,PING,,bad host!,,',
      'D,KEYWORD,https://d.example,,,',
      'E,,https://e.example,,5,',
      'F,,https://user:pass@f.example,,,',
      `G,,https://g.example,,,${'x'.repeat(41)}`,
    ].join('\n'),
  )
  assert.deepEqual(
    rows.map(({ line, exists, problems }) => [line, exists, problems.map(({ path }) => path)]),
    [
      [2, true, []],
      [3, false, []],
      [4, true, []],
      [5, false, ['name']],
      [6, false, ['type']],
      [7, false, ['url']],
      [8, false, ['host']],
      [9, false, ['keyword']],
      [10, false, ['intervalSeconds']],
      [11, false, ['url']],
      [12, false, ['tags']],
    ],
  )
  assert.deepEqual(await namesOf(team), ['Old'], 'a preview creates nothing')
})

test('previewMonitorImport 400: files that are too large, too long, or no CSV', async () => {
  const team = await createTeam(fixture)
  const bad = [
    '',
    'url\nhttps://a.example',
    'name',
    'name\n"a',
    `name\n${'a\n'.repeat(MAX_ROWS + 1)}`,
    `name\n${'a'.repeat(MAX_CHARACTERS)}`,
    7,
    null,
  ]
  for (const csv of bad) {
    const answer = await preview(team, csv)
    assert.deepEqual([answer.status, answer.paths], [400, ['csv']], String(csv).slice(0, 20))
  }
  assert.equal((await preview(team, 'x'.repeat(3_000_000))).status, 400)
  const refused = await team.reader.post(at(team, '/monitor-import-previews'), { csv: 'name\na' })
  assert.equal(refused.status, 403)
  const largest = `name,url\n${Array.from({ length: MAX_ROWS }, (_, n) => `m${n},m${n}.example`).join('\n')}`
  assert.equal((await readPreview(team, largest)).rows.length, MAX_ROWS)
})

test('importMonitors: two imports of the same file at once create each monitor once', async () => {
  const team = await createTeam(fixture)
  const csv = `name,url\n${Array.from({ length: 20 }, (_, n) => `m${n},m${n}.example`).join('\n')}`
  const rows = toRows((await readPreview(team, csv)).rows)
  const results = await Promise.all([1, 2, 3].map(() => importRows(team, rows)))
  const made = results.map(({ json }) => (json as Result).created)
  assert.equal(
    made.reduce((sum, one) => sum + one, 0),
    20,
  )
  assert.equal((await namesOf(team)).length, 20)
})

test('importMonitors: the plan is respected, and the rest of the file can follow later', async () => {
  const team = await createTeam(fixture)
  const limit = (monitors: number) =>
    fixture.db.run('update organizations set limit_overrides = $2 where id = $1', [
      toUuid(team.orgId),
      JSON.stringify({ monitors, fastestIntervalSeconds: 60 }),
    ])
  await limit(2)
  const csv =
    'name,url,intervalSeconds\na,a.example,60\nb,b.example,60\nc,c.example,60\nd,d.example,30'
  const { rows, room } = await readPreview(team, csv)
  assert.equal(room, 2)
  assert.deepEqual(
    rows[3]?.problems.map(({ path }) => path),
    ['intervalSeconds'],
  )
  const part = (await importRows(team, toRows(rows))).json as Result
  assert.deepEqual([part.created, part.refused.map(({ line }) => line)], [2, [4, 5]])
  await limit(9)
  const rest = (await importRows(team, toRows(rows.slice(0, 3)))).json as Result
  assert.deepEqual([rest.created, rest.existing, rest.refused], [1, 2, []])
})

test('importMonitors 400: rounds are bounded and every row follows the rules of a monitor', async () => {
  const team = await createTeam(fixture)
  const row = (monitor: object, more: object = {}) => ({ line: 2, monitor, ...more })
  const good = { name: 'a', type: 'HTTP', url: 'https://a.example' }
  const many = Array.from({ length: ROUND + 1 }, () => row(good))
  for (const rows of [
    [],
    many,
    [row({ ...good, url: 'javascript:1' })],
    [row({ name: 'a', type: 'HTTP' })],
    [row(good, { tags: ['x'.repeat(41)] })],
    [row(good, { tags: ['  '] })],
    [{ monitor: good }],
    [row({ ...good, intervalSeconds: 1 })],
  ])
    assert.equal((await importRows(team, rows)).code, 'validation_error', JSON.stringify(rows[0]))
  assert.equal(
    (await team.reader.post(at(team, '/monitor-imports'), { rows: [row(good)] })).status,
    403,
  )
  assert.deepEqual(await namesOf(team), [])
})
