// Takes and measures screenshots of every screen: `npm run shots -- --folder DIR` (desktop, laptop, tablet and phone,
// light and dark, with empty, full, tagged, overfull and broken data) fails on layout faults. `--only 'monitors 1280'`
// takes those whose name and look have both words, and `--zone America/New_York` is where the viewer is. Without a folder
// it updates the documentation's screenshots.
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Browser } from 'playwright-core'
import { startBrowser } from '../test/e2e/pages/browser.ts'
import { buildWeb } from './build-web.ts'
import { type Demo, startDemo } from './demo/start.ts'
import { shootDocumentation } from './shots/documentation.ts'
import { shootEmails } from './shots/emails.ts'
import { type Running, type State, shootDemo } from './shots/states.ts'
import { shootStatusPages } from './shots/status-pages.ts'

const IMAGES = join(import.meta.dirname, '../docs/images')
const LARGE = 5000
// Of one organization with everything set up, in this order: the last two change it.
const FULL: readonly State[] = ['normal', 'faults', 'tags', 'long']

const { values } = parseArgs({
  options: {
    folder: { type: 'string' },
    only: { type: 'string', default: '' },
    state: { type: 'string', default: 'normal,faults,tags,long,empty,large' },
    /** Where the viewer is. */
    zone: { type: 'string', default: 'Europe/Berlin' },
    /** The output of `npm run demo -- --json`: uses its organization, without renaming anything. */
    running: { type: 'string' },
  },
})

const directory = mkdtempSync(join(tmpdir(), 'upvane-shots-'))
process.once('exit', () => rmSync(directory, { recursive: true, force: true }))
await buildWeb()
const browser = await startBrowser('whole')
try {
  if (values.folder === undefined) await shootForDocs(browser)
  else await shootAll(browser, values.folder)
} finally {
  await browser.close()
}

async function withDemo<T>(
  options: { monitors?: number; isEmpty?: boolean },
  work: (running: Running) => Promise<T>,
): Promise<T> {
  const demo = await startDemo({ directory, port: 0, monitors: 0, isEmpty: false, ...options })
  try {
    return await work(toRunning(demo))
  } finally {
    await demo.stop()
  }
}

function toRunning({ service, stack, things }: Demo): Running {
  const { databaseUrl, person } = stack
  return { ...things, baseUrl: service.baseUrl, databaseUrl, person }
}

async function shootForDocs(of: Browser): Promise<void> {
  await withDemo({}, (running) => shootDocumentation(of, running, IMAGES))
  await shootStatusPages(of, IMAGES)
  await shootEmails(of, IMAGES)
}

async function shootAll(of: Browser, folder: string): Promise<void> {
  const wanted = new Set(values.state.split(','))
  const shoot = async (running: Running, states: readonly State[]) => {
    for (const state of states.filter((one) => wanted.has(one))) {
      const faults = await shootDemo(of, running, {
        folder,
        state,
        only: values.only,
        zone: values.zone,
      })
      for (const fault of faults) console.log(`${state}: ${fault}`)
      if (faults.length > 0) process.exitCode = 1
    }
  }
  if (values.running !== undefined) {
    const running = JSON.parse(readFileSync(values.running, 'utf8')) as Running
    return shoot(running, ['normal', 'faults', 'tags', 'empty', 'large'])
  }
  if (FULL.some((state) => wanted.has(state))) await withDemo({}, (running) => shoot(running, FULL))
  if (wanted.has('empty')) await withDemo({ isEmpty: true }, (running) => shoot(running, ['empty']))
  if (wanted.has('large'))
    await withDemo({ monitors: LARGE }, (running) => shoot(running, ['large']))
}
