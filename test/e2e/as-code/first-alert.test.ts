// A file says whom a monitor alerts. Nobody else is notified of it, not even of its first check: many contacts, and monitors of
// closed ports that alert none of them.
import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { Upvane } from '@upvane/sdk'
import { runUpv } from '../../../cli/test/run-upv.ts'
import { startProduct } from '../../kit/fixture.ts'
import { startWeb } from '../../kit/targets/web.ts'

const CONTACTS = 11
const QUIET = 14
const WAIT_MS = 120_000
const LATE_MS = 3_000

const web = await startWeb()
const product = await startProduct({
  command: 'start',
  env: { ALERT_HOLD_SECONDS: '1', ALERT_TOGETHER_SECONDS: '1' },
  own: true,
})
const directory = mkdtempSync(join(tmpdir(), 'upvane-first-alert-'))
after(async () => {
  rmSync(directory, { recursive: true })
  await product.stop()
  await web.close()
})

test('monitors that are created down alert only the contacts of the file', async () => {
  const { key } = await product.createOrganization()
  const { baseUrl } = product.service
  const pages = Array.from({ length: CONTACTS }, () => web.page({ status: 200 }))
  const contacts = pages.map(
    ({ url }, at) =>
      `  c${at}: { name: Pager ${at}, channel: WEBHOOK, settings: { url: "${url}" } }`,
  )
  const closed = 'type: PORT, host: 127.0.0.1, port: 9, timeoutSeconds: 1, intervalSeconds: 30'
  const quiet = Array.from(
    { length: QUIET },
    (_, at) => `  q${at}: { name: Quiet ${at}, ${closed}, contacts: [] }`,
  )
  // The last one alerts one contact: when it has arrived, the others would have too.
  const loud = `  z: { name: Loud, ${closed}, contacts: [c0], tags: [t] }`
  const off = `  y: { name: Off, ${closed}, paused: true, contacts: [c0] }`
  const file = join(directory, 'upvane.yaml')
  const lines = ['version: 1', 'source: quiet', 'contacts:', ...contacts]
  const text = [...lines, 'tags: { t: { name: Prod } }', 'monitors:', ...quiet, off, loud, '']
  writeFileSync(file, text.join('\n'))

  const env = { UPVANE_URL: baseUrl, UPVANE_API_KEY: key }
  const planned = await runUpv(['plan', '-f', file], env)
  // One request for each contact, tag and monitor, and the bindings before and after.
  assert.match(planned.stdout, new RegExp(`about ${CONTACTS + 1 + QUIET + 2 + 2} requests`))
  const applied = await runUpv(['apply', '--yes', '-f', file], env)
  assert.equal(applied.code, 0, applied.stderr)

  const upvane = new Upvane({ apiKey: key, baseUrl })
  const endsAt = Date.now() + WAIT_MS
  const isDone = async () => {
    const monitors = await upvane.monitors.list({ state: ['DOWN'] }).all()
    return monitors.length === QUIET + 1 && (pages[0]?.seen.length ?? 0) > 0
  }
  while (!(await isDone())) {
    assert.ok(Date.now() < endsAt, 'not every monitor went down, or nobody was alerted')
    await delay(250)
  }
  await delay(LATE_MS)
  const [first, ...others] = pages.map(({ seen }) => seen.map(({ body }) => body))
  assert.ok(
    first?.every((body) => body.includes('Loud') && !/Quiet|Off/.test(body)),
    String(first),
  )
  assert.deepEqual(others.flat(), [])

  const again = await runUpv(['plan', '--detailed-exitcode', '-f', file], env)
  assert.equal(again.code, 0, again.stdout)
})
