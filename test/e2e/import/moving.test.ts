// Every command of docs/moving.md, in the order of the document and against the running product.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { promisify } from 'node:util'
import { Upvane } from '@upvane/sdk'
import { makeKumaDatabase, TEAM } from '../../../cli/test/import/kuma-database.ts'
import { startProduct } from '../../kit/fixture.ts'
import { listen } from '../../kit/targets/listen.ts'
import { openShell } from './shell.ts'

const ROOT = join(import.meta.dirname, '../../..')
const run = promisify(execFile)
const root = mkdtempSync(join(tmpdir(), 'upv-moving-'))

const UUID = '5f2b1a6e-0c1d-4e2f-8a3b-4c5d6e7f8091'
const MONITOR = {
  id: '1',
  type: 'monitor',
  attributes: {
    pronounceable_name: 'Shop',
    url: 'https://shop.example.com/',
    monitor_type: 'status',
    check_frequency: 60,
  },
}
const PAGE = { id: 'p1', name: 'Example', subdomain: 'example', time_zone: 'Berlin' }
const COMPONENTS = [{ id: 'c1', name: 'Login', status: 'operational', position: 1 }]
const PAST = [
  {
    id: 'i1',
    name: 'Sign-in fails',
    impact: 'major',
    status: 'resolved',
    started_at: '2026-01-01T09:00:00Z',
    resolved_at: '2026-01-01T11:00:00Z',
    incident_updates: [
      { id: 'u2', status: 'resolved', body: 'Fixed.', display_at: '2026-01-01T11:00:00Z' },
      {
        id: 'u1',
        status: 'investigating',
        body: 'We are looking into it.',
        display_at: '2026-01-01T09:05:00Z',
        affected_components: [{ code: 'c1', name: 'Login', new_status: 'major_outage' }],
      },
    ],
  },
]
const CHECKS = {
  checks: [
    { name: 'Backup', timeout: 3600, grace: 60, ping_url: `https://hc.example.com/ping/${UUID}` },
  ],
}
const ROBOT = {
  data: [
    { id: 1, friendlyName: 'Shop', type: 'HTTP', url: 'https://shop.example.com/', interval: 300 },
  ],
}

/** What the APIs of the other tools answer. */
const ANSWERS: Readonly<Record<string, unknown>> = {
  '/uptimerobot/monitors': ROBOT,
  '/betterstack/monitors': { data: [MONITOR] },
  '/statuspage/pages/p1': PAGE,
  '/statuspage/pages/p1/components': COMPONENTS,
  '/statuspage/pages/p1/component-groups': [],
  '/statuspage/pages/p1/incidents': PAST,
  '/healthchecks/checks/': CHECKS,
}
const apis = createServer((request, response) => {
  const { pathname } = new URL(request.url ?? '', 'http://x')
  response.end(JSON.stringify(ANSWERS[pathname] ?? { data: [] }))
})
const { port, close } = await listen(apis)
// Its own: slugs of status pages are taken for everybody, and other guides use the same.
const product = await startProduct({ own: true })
after(async () => {
  await product.stop()
  await close()
  rmSync(root, { recursive: true })
})

const shell = openShell(root)

const ENV = {
  UPVANE_URL: product.service.baseUrl,
  UPVANE_API_KEY: product.keys.full,
  UPTIMEROBOT_API_KEY: 'key',
  BETTERSTACK_API_TOKEN: 'key',
  STATUSPAGE_API_KEY: 'key',
  STATUSPAGE_PAGE_ID: 'p1',
  HEALTHCHECKS_API_KEY: 'key',
}

const guide = readFileSync(join(ROOT, 'docs/moving.md'), 'utf8')
const sections = guide
  .split(/^## /m)
  .slice(1)
  .map((text) => {
    const [title = ''] = text.split('\n', 1)
    const blocks = [...text.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, block = '']) => block)
    return { title, blocks }
  })
  .filter(({ blocks }) => blocks.length > 0)

/** The files that the document speaks of. */
function fill(folder: string): void {
  mkdirSync(folder)
  makeKumaDatabase(join(folder, 'kuma.db'), 2, TEAM)
  const files = {
    'uptimerobot.csv':
      'ID,Type,Status,Friendly Name,URL/IP,Keyword Type,Keyword Value,Port\n1,HTTP(s),Up,Shop,https://shop.example.com/,,,\n',
    'betterstack.json': JSON.stringify({ data: [MONITOR] }),
    'statuspage.json': JSON.stringify({ page: PAGE, components: COMPONENTS, incidents: PAST }),
    'healthchecks.json': JSON.stringify(CHECKS),
    'config.yaml':
      'endpoints:\n  - name: Shop\n    url: https://shop.example.com/\n    conditions: ["[STATUS] == 200"]\n',
    'jobs.crontab': '0 3 * * * backup && curl https://kuma.example.com/api/push/eYaNuTzjHT\n',
    'monitors.csv': 'name,url\nShop,https://shop.example.com/\n',
  }
  for (const [name, content] of Object.entries(files)) writeFileSync(join(folder, name), content)
}

/** The APIs of the other tools are ours here. */
function here(block: string): string {
  return block.replaceAll(
    /upv import (\S+) --api(?: --url \S+)?/g,
    (_, tool: string) => `upv import ${tool} --api --url http://127.0.0.1:${port}/${tool}`,
  )
}

test('the document has commands for every tool', () => {
  assert.deepEqual(
    sections.map(({ title }) => title),
    [
      'The steps',
      'Uptime Kuma',
      'UptimeRobot',
      'Better Stack',
      'Statuspage',
      'Healthchecks',
      'Gatus',
      'CSV',
      'Jobs that ping',
    ],
  )
})

const first = join(root, 'steps')
for (const [at, { title, blocks }] of sections.entries())
  test(title, async () => {
    // The list of jobs is the one that the steps have made.
    const folder =
      title === 'The steps' || title === 'Jobs that ping' ? first : join(root, String(at))
    if (title !== 'Jobs that ping') fill(folder)
    for (const block of blocks) await shell(folder, here(block), ENV)
    if (title !== 'Jobs that ping')
      assert.match(readFileSync(join(folder, 'upvane.yaml'), 'utf8'), /^source: /m)
  })

test('the script for sed puts the new URL into the jobs', async () => {
  const { stdout } = await run('sed', ['-f', join(first, 'urls.sed'), join(first, 'jobs.crontab')])
  const [url = ''] = /http\S+/.exec(stdout) ?? []
  assert.ok(url.startsWith(`${product.service.baseUrl}/hb/`), stdout)
  assert.equal((await fetch(url)).status, 200)
})

test('afterward the jobs ping under their old tokens', async () => {
  const list = readFileSync(join(first, 'old-to-new-heartbeats.csv'), 'utf8')
  const [, alias = ''] = /"(http[^"]*\/hb\/alias\/[^"]*)"/.exec(list) ?? []
  assert.equal((await fetch(`${alias}?status=down&msg=No+space`)).status, 200)
  const upvane = new Upvane({ baseUrl: product.service.baseUrl, apiKey: product.keys.full })
  const [backup] = await upvane.monitors.list({ q: 'Backup', type: 'CRON' }).all()
  assert.equal(backup?.state, 'DOWN')
})

test('past incidents of Statuspage have their updates and times, also after a second run', async () => {
  const folder = join(root, String(sections.findIndex(({ title }) => title === 'Statuspage')))
  await shell(folder, 'upv import incidents --source statuspage', ENV)
  const upvane = new Upvane({ baseUrl: product.service.baseUrl, apiKey: product.keys.full })
  const all = await upvane.statusIncidents.list().all()
  assert.deepEqual(
    all.map(({ title, status, startedAt, resolvedAt, updates }) => [
      [title, status, startedAt, resolvedAt],
      ...updates.map((update) => [
        update.status,
        update.message,
        update.createdAt,
        update.components.map(({ state }) => state),
      ]),
    ]),
    [
      [
        ['Sign-in fails', 'RESOLVED', '2026-01-01T09:00:00.000Z', '2026-01-01T11:00:00.000Z'],
        ['RESOLVED', 'Fixed.', '2026-01-01T11:00:00.000Z', ['OPERATIONAL']],
        ['INVESTIGATING', 'We are looking into it.', '2026-01-01T09:05:00.000Z', ['MAJOR_OUTAGE']],
      ],
    ],
  )
})
