// Slow but responding: the degraded rule with real response times, and what resets it.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import type { Monitor } from '../../kit/shapes.ts'
import { type Page, startWeb } from '../../kit/targets/web.ts'
import { startEngine } from './fixture.ts'

const SLOW = { delayMs: 900 }
const THRESHOLD_MS = 600

const web = await startWeb()
const engine = await startEngine({ nats: false })
after(async () => {
  await engine.stop()
  await web.close()
})

/** One letter per check: s slow, f fast, x failed. The state after each: U, D(egraded), X (down). */
type Row = [mode: 'LAST' | 'P95', count: number, replies: string, states: string]

// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  ['LAST', 1, 'sfs',   'DUD'],
  ['P95',  1, 'sfs',   'DUD'],
  ['LAST', 3, 'sssfs', 'UUDUU'],
  ['LAST', 2, 'fssf',  'UUDU'],
  ['P95',  3, 'ffsff', 'UUDDD'], // below 20 samples the slowest of the last N decides
  ['P95',  3, 'sffff', 'UUDUU'],
  ['LAST', 2, 'ssxss', 'UDXUD'], // a failure empties the samples
  ['P95',  2, 'fsxfs', 'UDXUD'],
]

describe('the degraded rule', { concurrency: 8 }, () => {
  for (const [mode, count, replies, states] of rows)
    test(`${mode} of ${count}: ${replies} -> ${states}`, async () => {
      const page = web.page({})
      const rule = { degradedThresholdMode: mode, degradedSamples: count }
      assert.equal(await drive(page, replies, rule), states)
    })

  test('no threshold, no DEGRADED', async () => {
    const page = web.page({})
    assert.equal(await drive(page, 'ss', { degradedThresholdMs: null, degradedSamples: 1 }), 'UU')
  })

  type Forgets = (id: string, next: Page) => Promise<unknown>
  const forgetting: Record<string, Forgets> = {
    'pause and resume': async (id) => {
      await engine.pause(id)
      await engine.resume(id)
    },
    'another url': (id, next) => engine.patch(id, { url: next.url }),
    'another type': (id) => engine.patch(id, { type: 'KEYWORD', keyword: 'ok' }),
  }
  for (const [name, forget] of Object.entries(forgetting))
    test(`${name} clears the samples: the rule starts again`, async () => {
      const page = web.page(SLOW)
      const next = web.page(SLOW)
      const { id, lastCheckedAt } = await start(page, { degradedSamples: 2 })
      assert.equal((await engine.checkSampled(id)).state, 'DEGRADED')
      await forget(id, next)
      const first = await engine.until(
        id,
        (monitor) => monitor.state === 'UP' && monitor.lastCheckedAt !== lastCheckedAt,
      )
      if (first.lastResponseMs === null) assert.equal((await engine.checkSampled(id)).state, 'UP')
      assert.equal((await engine.db.monitorStatus(id)).samples.length, 1)
      assert.equal((await engine.checkSampled(id)).state, 'DEGRADED')
    })

  test('another name or header keeps the samples', async () => {
    const { id } = await start(web.page(SLOW), { degradedSamples: 2 })
    await engine.patch(id, { name: 'Renamed', requestHeaders: { 'X-A': '1' } })
    assert.equal((await engine.checkSampled(id)).state, 'DEGRADED')
  })
})

/** Creates a monitor whose first check was counted. */
async function start(page: Page, rule: Record<string, unknown>): Promise<Monitor> {
  const fields = { type: 'HTTP', url: page.url, degradedThresholdMs: THRESHOLD_MS, ...rule }
  const monitor = await engine.createChecked(fields)
  return monitor.lastResponseMs === null ? engine.checkSampled(monitor.id) : monitor
}

async function drive(page: Page, replies: string, rule: Record<string, unknown>): Promise<string> {
  let id: string | undefined
  let states = ''
  for (const letter of replies) {
    page.become(letter === 's' ? SLOW : { status: letter === 'x' ? 404 : 200 })
    const { state, ...monitor } = id ? await engine.checkSampled(id) : await start(page, rule)
    id = monitor.id
    states += state === 'DOWN' ? 'X' : state.charAt(0)
  }
  return states
}
