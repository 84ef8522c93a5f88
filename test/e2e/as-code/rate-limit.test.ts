// How long an apply takes by the rate limit of its key, with the real client and the real limit.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startBench, startKiller } from './bench.ts'

const LIMIT = 20
const MONITORS = 25
// Reading what is there, and the bindings before and after.
const BESIDE = 14
const WINDOW_MS = 60_000
const SLACK_MS = 30_000

const bench = await startBench({ rateLimit: LIMIT })
after(() => bench.stop())

test(`apply: one request for each monitor, says that it waits, and is done in one minute for every ${LIMIT} requests`, async (t) => {
  const { key } = await bench.product.createOrganization()
  const lines = Array.from(
    { length: MONITORS },
    (_, at) => `  m${at}: { name: M ${at}, type: CRON }`,
  )
  const file = bench.write(
    'limit.yaml',
    ['version: 1', 'source: limit', 'monitors:', ...lines].join('\n'),
  )
  const answers = { all: 0 }
  const counter = await startKiller(bench.product.service.baseUrl, () => {
    answers.all += 1
    return 'pass'
  })
  t.after(counter.close)
  const startedAt = Date.now()
  const applied = await counter.run(['apply', '--yes', '-f', file], { UPVANE_API_KEY: key })
  const tookMs = Date.now() - startedAt
  t.diagnostic(`${answers.all} requests, ${tookMs} ms`)
  assert.equal(applied.code, 0, applied.stderr)
  assert.match(applied.stderr, /waiting (\d+ s|1 min) for the rate limit/)
  assert.ok(answers.all > LIMIT && answers.all <= MONITORS + BESIDE, `${answers.all} requests`)
  const windows = Math.ceil(answers.all / LIMIT)
  assert.ok(tookMs <= (windows - 1) * WINDOW_MS + SLACK_MS, `${tookMs} ms`)
})
