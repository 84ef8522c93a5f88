// How soon does the list of 5,000 monitors appear with a 4x CPU slowdown? From navigation to the first paint and to the
// painted rows, with an empty cache, a full cache, and a link with filters.
import { parseArgs } from 'node:util'
import pg from 'pg'
import type { CDPSession, Page } from 'playwright-core'
import { toUuid } from '../test/kit/ids.ts'
import { startWebFixture } from '../test/web/fixture.ts'
import { fillHistory } from './history-rows.ts'
import { describeMachine, watchBusyness } from './machine.ts'
import { print, printJson, printRun, table } from './report.ts'

const MONITORS = 5_000
const GOAL_MS = 1_000
const WAIT_MS = 60_000

const { values } = parseArgs({
  options: {
    navigations: { type: 'string', default: '20' },
    slowed: { type: 'string', default: '4' },
  },
})
const navigations = Number(values.navigations)
const slowed = Number(values.slowed)

const CASES = {
  'empty cache': { path: '/monitors', isCold: true },
  'full cache': { path: '/monitors', isCold: false },
  'full cache, filtered': { path: '/monitors?q=check&type=HTTP&sort=name', isCold: false },
}
type Case = keyof typeof CASES

// Strings, because this file has no DOM types. Rows count from the frame that shows them.
const WATCH = `
  const watcher = new MutationObserver(() => {
    if (document.querySelector('[data-row]') === null) return
    watcher.disconnect()
    requestAnimationFrame(() => {
      const { port1, port2 } = new MessageChannel()
      port1.onmessage = () => { globalThis.rowsMs = performance.now() }
      port2.postMessage(0)
    })
  })
  watcher.observe(document, { subtree: true, childList: true })`
const PICTURES = `({
  rowsMs: globalThis.rowsMs,
  firstMs: performance.getEntriesByName('first-contentful-paint')[0].startTime,
})`

type Pictures = { firstMs: number; rowsMs: number }

const fixture = await startWebFixture({ env: { LOG_LEVEL: 'error' } })
try {
  await main()
} finally {
  await fixture.stop()
}

async function main(): Promise<void> {
  await fill()
  const { page, wrong } = await fixture.open(fixture.orgId, 'MEMBER', '/monitors')
  await page.locator('[data-row]').first().waitFor({ timeout: WAIT_MS })
  const session = await page.context().newCDPSession(page)
  await session.send('Emulation.setCPUThrottlingRate', { rate: slowed })
  await page.addInitScript(WATCH)
  const busy = watchBusyness()
  const seen: Record<Case, Pictures[]> = {
    'empty cache': [],
    'full cache': [],
    'full cache, filtered': [],
  }
  // Alternating, so a busy minute of the machine affects all of them.
  for (let turn = 0; turn < navigations; turn++)
    for (const name of Object.keys(CASES) as Case[])
      seen[name].push(await navigate(page, session, name))
  report(seen, { wrong, busy: busy() })
}

async function fill(): Promise<void> {
  const client = new pg.Client({ connectionString: fixture.stack.databaseUrl })
  await client.connect()
  const size = { monitors: MONITORS, days: 90, rawDays: 1, denseMonitors: 5, sparseMinutes: 240 }
  const owner = { orgId: toUuid(fixture.orgId), masterKeys: fixture.stack.env['MASTER_KEYS'] ?? '' }
  await fillHistory(client, owner, { ...size, sparseHourDays: 1 }, () => {})
  await client.query('analyze')
  await client.end()
}

async function navigate(page: Page, session: CDPSession, name: Case): Promise<Pictures> {
  const { path, isCold } = CASES[name]
  if (isCold) await session.send('Network.clearBrowserCache')
  await page.goto(path)
  // A function, because the page's CSP blocks repeated evaluation of strings.
  const isSeen = () =>
    'rowsMs' in globalThis && performance.getEntriesByName('first-contentful-paint').length > 0
  await page.waitForFunction(isSeen, undefined, { timeout: WAIT_MS })
  const pictures = await page.evaluate<Pictures>(PICTURES)
  // Requests after this must not affect the next navigation.
  await page.waitForLoadState('load')
  return pictures
}

type Circumstances = {
  wrong: readonly string[]
  busy: Parameters<typeof printRun>[0]['busy']
}

function report(seen: Record<Case, Pictures[]>, { wrong, busy }: Circumstances): void {
  const setting = { ...describeMachine(), monitors: MONITORS, navigations, slowed }
  printRun({ question: 'How soon is the list of 5,000 monitors there?', setting, busy })
  const figures = Object.entries(seen).map(([name, own]) => ({
    name,
    first: spread(own.map(({ firstMs }) => firstMs)),
    rows: spread(own.map(({ rowsMs }) => rowsMs)),
  }))
  const head = ['', 'first picture p50', 'p90', 'worst', 'rows p50', 'p90', 'worst']
  print(
    table([
      head,
      ...figures.map(({ name, first, rows }) => [name, ...[first, rows].flatMap(cells)]),
    ]),
  )
  const late = figures.filter(({ rows }) => rows.worst > GOAL_MS)
  for (const { name } of late) print(`MISSED: ${name}: rows after more than ${GOAL_MS} ms`)
  for (const line of wrong) print(`WRONG: ${line}`)
  const passed = late.length === 0 && wrong.length === 0
  printJson({ setting, busy, figures, wrong, passed })
  if (!passed) process.exitCode = 1
}

type Spread = { p50: number; p90: number; worst: number }

function cells({ p50, p90, worst }: Spread): string[] {
  return [p50, p90, worst].map(String)
}

function spread(times: readonly number[]): Spread {
  const sorted = times.toSorted((a, b) => a - b)
  const at = (share: number) =>
    Math.round(sorted[Math.min(sorted.length - 1, Math.floor(share * sorted.length))] ?? Number.NaN)
  return { p50: at(0.5), p90: at(0.9), worst: at(1) }
}
