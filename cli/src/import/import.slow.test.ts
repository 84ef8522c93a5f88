// The command itself: files of every tool, files that are none, and how long it takes.
import assert from 'node:assert/strict'
import {
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  statSync,
  writeFileSync,
} from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, test } from 'node:test'
import { listen } from '../../../test/kit/targets/listen.ts'
import { type KumaRows, makeKumaDatabase, TEAM } from '../../test/import/kuma-database.ts'
import { runUpv } from '../../test/run-upv.ts'

const root = mkdtempSync(join(tmpdir(), 'upv-import-'))
after(() => rmSync(root, { recursive: true }))
let folders = 0

function newFolder(): string {
  folders += 1
  const folder = join(root, String(folders))
  mkdirSync(folder)
  return folder
}

/** Runs the command with all outputs in the folder. */
function runImport(folder: string, from: string, more: string[], env: Record<string, string> = {}) {
  const outputs = [
    `--output=${join(folder, 'upvane.yaml')}`,
    `--report=${join(folder, 'report.json')}`,
    `--heartbeats=${join(folder, 'heartbeats.csv')}`,
    '--timezone=Europe/Berlin',
  ]
  return runUpv(['import', from, ...outputs, ...more], env)
}

function put(folder: string, name: string, content: string | Buffer): string {
  const path = join(folder, name)
  writeFileSync(path, content)
  return path
}

const read = (folder: string, name: string): string => readFileSync(join(folder, name), 'utf8')

test('a database: file, report, list of heartbeats, and secrets only where asked', async () => {
  const folder = newFolder()
  const path = join(folder, 'kuma.db')
  makeKumaDatabase(path, 2, TEAM)
  const secrets = join(folder, 'secrets.env')
  const { code, stdout, stderr } = await runImport(folder, 'uptime-kuma', [
    '--file',
    path,
    '--secrets-file',
    secrets,
  ])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^monitor: +9 = \d+ mapped \+ \d+ changed \+ 3 not taken$/m)
  const outputs = [stdout, stderr, read(folder, 'upvane.yaml'), read(folder, 'report.json')]
  for (const text of outputs) assert.ok(!text.includes('planted'), text)
  assert.match(read(folder, 'upvane.yaml'), /^ {2}shop:$/m)
  assert.match(read(folder, 'secrets.env'), /^SHOP_X_API_KEY='planted-header'$/m)
  assert.match(read(folder, 'heartbeats.csv'), /^"backup","Backup","eYaNuTzjHT"/m)
  for (const name of ['secrets.env', 'heartbeats.csv'])
    assert.equal(statSync(join(folder, name)).mode & 0o777, 0o600)

  const again = await runImport(folder, 'uptime-kuma', ['--file', path])
  assert.equal(again.code, 2)
  assert.match(again.stderr, /already exist\. --force overwrites them/)
  assert.equal((await runImport(folder, 'uptime-kuma', ['--file', path, '--force'])).code, 0)
})

test('a database that is written to meanwhile', async () => {
  const folder = newFolder()
  const path = join(folder, 'kuma.db')
  makeKumaDatabase(path, 1, TEAM)
  const writer = new DatabaseSync(path)
  writer.exec('begin immediate')
  writer.exec("insert into monitor (name, type) values ('Half', 'http')")
  const { code, stdout, stderr } = await runImport(folder, 'uptime-kuma', ['--file', path])
  writer.exec('rollback')
  writer.close()
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^monitor: +9 = /m)
})

/** Two on a quiet machine. Other tests run beside this one, and anything quadratic takes minutes. */
const MAX_SECONDS = 20

test(`5,000 monitors take less than ${MAX_SECONDS} seconds`, async () => {
  const monitor = Array.from({ length: 5000 }, (_, n) => ({
    id: n + 1,
    name: `Monitor ${n % 50}`,
    type: n % 5 === 0 ? 'push' : 'http',
    url: `https://m${n}.example.com/`,
    push_token: `token${n}`,
    interval: 60,
    headers: '{"X-Token":"secret"}',
  }))
  const rows: KumaRows = { ...TEAM, monitor }
  const folder = newFolder()
  const path = join(folder, 'kuma.db')
  makeKumaDatabase(path, 2, rows)
  const startedMs = performance.now()
  const { code, stdout, stderr } = await runImport(folder, 'uptime-kuma', ['--file', path])
  const seconds = (performance.now() - startedMs) / 1000
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^monitor: +5000 = /m)
  assert.ok(seconds < MAX_SECONDS, `${seconds} s`)
})

const MANY = Array.from({ length: 5000 }, (_, n) => n)
const LISTS: readonly [tool: string, text: string][] = [
  [
    'uptimerobot',
    JSON.stringify({
      data: MANY.map((n) => ({
        id: n,
        friendlyName: `Monitor ${n}`,
        type: 'HTTP',
        url: `https://m${n}.example.com/`,
        interval: 60,
        customHttpHeaders: { 'X-Token': 'secret' },
      })),
    }),
  ],
  [
    'gatus',
    `endpoints:\n${MANY.map(
      (n) => `  - name: m${n}
    group: core
    url: "https://m${n}.example.com/"
    interval: 1m
    headers: {X-Token: secret}
    conditions: ["[STATUS] == 200", "[RESPONSE_TIME] < 500"]
`,
    ).join('')}`,
  ],
]
for (const [tool, text] of LISTS)
  test(`5,000 monitors of ${tool} take less than ${MAX_SECONDS} seconds`, async (t) => {
    const folder = newFolder()
    const file = put(folder, 'given', text)
    const startedMs = performance.now()
    const { code, stdout, stderr } = await runImport(folder, tool, ['--file', file])
    const seconds = (performance.now() - startedMs) / 1000
    t.diagnostic(`${seconds.toFixed(2)} s`)
    assert.equal(code, 0, stderr)
    assert.match(stdout, /^monitor: +5000 = /m)
    assert.ok(seconds < MAX_SECONDS, `${seconds} s`)
  })

const HOSTILE: readonly [what: string, from: string, content: string | Buffer, why: RegExp][] = [
  ['an empty file', 'uptime-kuma', '', /not JSON/],
  ['text that is no JSON', 'healthchecks', 'hello', /not JSON/],
  ['a web page', 'uptimerobot', '<html>', /Friendly Name/],
  ['a web page instead of JSON', 'statuspage', '<html>', /web page/],
  ['gzip', 'betterstack', Buffer.from([0x1f, 0x8b, 8, 0, 0xff]), /gzip/],
  ['not UTF-8', 'csv', Buffer.from([0x6e, 0xff, 0xfe]), /UTF-8/],
  ['deep nesting', 'healthchecks', `{"checks":${'['.repeat(100_000)}`, /nested too deeply/],
  ['millions of entries', 'betterstack', `{"data":[${'{},'.repeat(3_000_000)}{}]}`, /too many/],
  [
    'a list without end',
    'healthchecks',
    `{"checks":[${'1,'.repeat(200_000)}1]}`,
    /more than 100000/,
  ],
  ['NUL and escapes', 'uptimerobot', '\u0000\u001b[2J{', /Friendly Name/],
  ['cut off in the middle', 'statuspage', '{"page":{"id":"p1"', /not JSON/],
  ['a list instead of an object', 'uptime-kuma', '[]', /monitorList/],
  ['a text instead of a list', 'healthchecks', '{"checks":"many"}', /no list "checks"/],
  ['null', 'betterstack', 'null', /no entries/],
  [
    'a database that only begins like one',
    'uptime-kuma',
    `SQLite format 3\0${'x'.repeat(5000)}`,
    /cannot be read as an SQLite database/,
  ],
  ['a quote that never ends', 'csv', 'name,url\n"Shop', /never closed/],
  ['too many columns', 'csv', `name${',x'.repeat(1000)}\n`, /columns/],
]
for (const [what, from, content, why] of HOSTILE)
  test(`${what}: ${from} refuses it`, async () => {
    const folder = newFolder()
    const { code, stdout, stderr } = await runImport(folder, from, [
      '--file',
      put(folder, 'given', content),
    ])
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, why)
    assert.ok(!stderr.includes('    at '), stderr)
  })

test('a view that never ends is not read', async () => {
  const folder = newFolder()
  const path = join(folder, 'evil.db')
  const database = new DatabaseSync(path)
  database.exec(
    `create view monitor as with recursive n(x) as (select 1 union all select x + 1 from n) select x as id from n`,
  )
  database.close()
  const { code, stderr } = await runImport(folder, 'uptime-kuma', ['--file', path])
  assert.equal(code, 1)
  assert.match(stderr, /not the one of Uptime Kuma/)
})

test('a computed column that never ends is not read', async () => {
  const folder = newFolder()
  const path = join(folder, 'evil.db')
  const database = new DatabaseSync(path)
  database.exec(
    `create table monitor (id integer, name text as (hex(zeroblob(400000000))));
     insert into monitor (id) with recursive n(x) as (select 1 union all select x + 1 from n where x < 1000)
     select x from n`,
  )
  database.close()
  const { code, stderr } = await runImport(folder, 'uptime-kuma', ['--file', path])
  assert.equal(code, 1)
  assert.match(stderr, /not the one of Uptime Kuma/)
})

test('a table that does not fit into memory is not read', async () => {
  const folder = newFolder()
  const path = join(folder, 'huge.db')
  const database = new DatabaseSync(path)
  database.exec(
    `create table monitor (id integer, name text);
     insert into monitor with recursive n(x) as (select 1 union all select x + 1 from n where x < 60)
     select x, hex(zeroblob(1000000)) from n`,
  )
  database.close()
  const { code, stderr } = await runImport(folder, 'uptime-kuma', ['--file', path])
  assert.equal(code, 1)
  assert.match(stderr, /"monitor" is larger than 100 MB/)
})

test('a file that is larger than 100 MB is not read', async () => {
  const folder = newFolder()
  const path = put(folder, 'huge.json', Buffer.alloc(101 * 1024 * 1024, ' '))
  const { code, stderr } = await runImport(folder, 'healthchecks', ['--file', path])
  assert.equal(code, 1)
  assert.match(stderr, /larger than 100 MB/)
})

const LAUGHS = Array.from({ length: 12 }, (_, n) => {
  const before = n === 0 ? '"lol"' : `*a${n - 1}`
  return `a${n}: &a${n} [${Array(10).fill(before).join(', ')}]`
})
for (const [what, yaml] of [
  ['aliases that unfold', `${LAUGHS.join('\n')}\nendpoints: *a11\n`],
  ['a cycle', 'endpoints: &a [*a]\n'],
  ['deep nesting', `endpoints: ${'['.repeat(5000)}${']'.repeat(5000)}\n`],
  ['no YAML', 'endpoints: [}\n'],
  ['more than 5 MB', `endpoints: []\n# ${'x'.repeat(6_000_000)}\n`],
  ['deeper nesting', `endpoints: ${'['.repeat(500_000)}\n`],
  ['control characters', 'endpoints: \u0000\u001b[2J\n'],
  ['another file', 'services: {}\n'],
] as const)
  test(`Gatus: ${what}`, async () => {
    const folder = newFolder()
    const startedMs = performance.now()
    const { code, stderr } = await runImport(folder, 'gatus', [
      '--file',
      put(folder, 'config.yaml', yaml),
    ])
    assert.equal(code, 1, stderr)
    assert.ok(!stderr.includes('    at '), stderr)
    assert.ok(performance.now() - startedMs < 10_000)
  })

test('Gatus: a configuration', async () => {
  const folder = newFolder()
  const yaml = `endpoints:
  - name: Shop
    url: "https://shop.example.com/"
    interval: 1m
    conditions: ["[STATUS] == 200"]
`
  const { code, stderr } = await runImport(folder, 'gatus', [
    '--file',
    put(folder, 'config.yaml', yaml),
  ])
  assert.equal(code, 0, stderr)
  assert.match(read(folder, 'upvane.yaml'), /expectedStatus: \[200\]/)
})

test('by API: every page is read, with the key, and nothing from another host', async (t) => {
  const keys: (string | undefined)[] = []
  let next = 'same'
  const server = createServer((request, response) => {
    keys.push(request.headers.authorization)
    const origin = `http://${request.headers.host}`
    const url = new URL(request.url ?? '', origin)
    const isFirst = url.pathname === '/v3/monitors' && !url.searchParams.has('cursor')
    const link =
      next === 'same' ? `${origin}/v3/monitors?cursor=2` : 'http://127.0.0.2:9/v3/monitors'
    const name = isFirst ? 'First' : 'Second'
    const data =
      url.pathname === '/v3/monitors'
        ? [{ id: name, friendlyName: name, type: 'PING', url: 'a.example.com' }]
        : []
    response.end(JSON.stringify({ nextLink: isFirst ? link : null, data }))
  })
  const { port, close } = await listen(server)
  t.after(close)
  const args = ['--api', '--url', `http://127.0.0.1:${port}/v3`]
  const env = { UPTIMEROBOT_API_KEY: 'planted-key' }
  const { code, stdout, stderr } = await runImport(newFolder(), 'uptimerobot', args, env)
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^monitor: +2 = 2 mapped/m)
  assert.ok(keys.every((key) => key === 'Bearer planted-key'))
  assert.ok(!(stdout + stderr).includes('planted'))

  next = 'elsewhere'
  const refused = await runImport(newFolder(), 'uptimerobot', args, env)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /another host/)
})

for (const [args, why] of [
  [['import', 'csv'], /either --file or --api/],
  [['import', 'csv', '--file', 'x', '--api'], /either --file or --api/],
  [['import', 'csv', '--api'], /from a file/],
  [['import', 'uptimerobot', '--api'], /UPTIMEROBOT_API_KEY/],
  [['import', 'csv', '--file', 'x', '--source', 'A B'], /--source/],
  [['import', 'csv', '--file', '/does/not/exist'], /cannot be read/],
  [['import', 'nagios', '--file', 'x'], /no command/],
] as const)
  test(`upv ${args.join(' ')}`, async () => {
    const { code, stderr } = await runUpv([...args])
    assert.notEqual(code, 0)
    assert.match(stderr, why)
  })

test('a database without monitors, copied without its log: nothing is written', async () => {
  const folder = newFolder()
  const path = join(folder, 'kuma.db')
  makeKumaDatabase(path, 2, {})
  const { code, stderr } = await runImport(folder, 'uptime-kuma', ['--file', path])
  assert.equal(code, 1)
  assert.match(
    stderr,
    /has no monitors\. If Uptime Kuma is running, copy kuma\.db-wal and kuma\.db-shm/,
  )
  assert.ok(!existsSync(join(folder, 'upvane.yaml')))
})

test('a source of which nothing can be taken: why, exit 1, and no file', async () => {
  const folder = newFolder()
  const monitorList = [{ id: 1, name: 'Container', type: 'docker', interval: 60 }]
  const backup = JSON.stringify({ version: '1.23.0', monitorList, notificationList: [] })
  const path = put(folder, 'backup.json', backup)
  const { code, stdout, stderr } = await runImport(folder, 'uptime-kuma', ['--file', path])
  assert.equal(code, 1)
  assert.match(stdout, /Container: /)
  assert.match(stderr, /nothing was written/)
  assert.deepEqual(readdirSync(folder), ['backup.json'])
})
