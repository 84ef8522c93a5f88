import assert from 'node:assert/strict'
import { test } from 'node:test'
import { fakeUpvane } from '@upvane/sdk/testing'
import { CommandError } from '../command.ts'
import { explainError } from './client.ts'
import { findMonitor, findPage, findWindow, pickOne } from './find.ts'
import { maskMonitor } from './mask.ts'
import { readOffset } from './window-times.ts'

const items = [
  { id: 'a', name: 'Shop' },
  { id: 'b', name: 'shop' },
  { id: 'c', name: 'Blog' },
]

test('a name finds the one item that has it; exactly as written wins', () => {
  assert.equal(pickOne('monitor', 'Shop', items).id, 'a')
  assert.equal(pickOne('monitor', 'shop', items).id, 'b')
  assert.equal(pickOne('monitor', 'BLOG', items).id, 'c')
  assert.throws(
    () => pickOne('monitor', 'SHOP', items),
    /2 have the name "SHOP"\. Use an id: a, b\./,
  )
  assert.throws(() => pickOne('monitor', 'Cart', items), /there is no monitor "Cart"\.$/)
  assert.throws(() => pickOne('monitor', 'LOG', items), /no monitor "LOG"\. Did you mean "Blog"\?$/)
  const many = Array.from({ length: 7 }, (_, index) => ({ id: `m${index}`, name: 'Same' }))
  assert.throws(() => pickOne('monitor', 'Same', many), /m0, m1, m2, m3, m4 and others/)
})

test('monitors, pages and windows are found by id and by name', async () => {
  const fake = fakeUpvane()
  const upvane = fake.client()
  const monitor = fake.add('monitors', { name: 'mon_db' })
  const page = fake.add('statusPages', { name: 'Public', slug: 'acme' })
  const window = fake.add('maintenanceWindows', { name: 'Patches' })
  assert.equal((await findMonitor(upvane, 'mon_db')).id, monitor.id)
  assert.equal((await findMonitor(upvane, monitor.id)).id, monitor.id)
  assert.equal((await findPage(upvane, 'acme')).id, page.id)
  assert.equal((await findPage(upvane, 'public')).id, page.id)
  assert.equal((await findWindow(upvane, 'patches')).id, window.id)
  await assert.rejects(findMonitor(upvane, 'Cart'), CommandError)
  await assert.rejects(findMonitor(upvane, ''), /is empty/)
})

test('secrets of a monitor are hidden unless asked for', () => {
  const fake = fakeUpvane()
  const monitor = fake.add('monitors', {
    requestHeaders: { Authorization: 'Bearer planted', Accept: 'planted' },
    requestBody: 'planted',
    heartbeatUrl: 'https://x/hb/planted',
  })
  const masked = maskMonitor(monitor, false)
  assert.doesNotMatch(JSON.stringify(masked), /planted/)
  assert.deepEqual(masked.requestHeaders, { Authorization: '***', Accept: '***' })
  assert.deepEqual(maskMonitor(monitor, true), monitor)
  const bare = { ...monitor, requestHeaders: null, requestBody: null, heartbeatUrl: null }
  assert.deepEqual(maskMonitor(bare, false), bare)
})

test('errors of the service are one harmless line', async () => {
  const fake = fakeUpvane()
  const upvane = fake.client({ maxRetries: 0 })
  const failWith = async (status: number, code: string, message?: string): Promise<string> => {
    fake.failNext({ status, code, ...(message && { message }) })
    const error = await upvane.monitors.get('mon_x').catch((caught: unknown) => caught)
    return explainError(error) ?? ''
  }
  assert.match(await failWith(401, 'unauthorized'), /refused the API key.*upv login/)
  const shown = await failWith(409, 'conflict', 'no\u001b[2J\nway')
  assert.match(shown, /^409 conflict: no\uFFFD\[2J\uFFFDway \(req_/)
  fake.failNext('connection')
  const lost = await upvane.monitors.get('mon_x').catch((caught: unknown) => caught)
  assert.match(explainError(lost) ?? '', /^the service cannot be reached/)
  assert.equal(explainError(new Error('a bug')), undefined)
})

// biome-ignore format: a table is read by its columns
const clocks: [header: string | null, now: string, offsetMs: number][] = [
  [null,                            '2026-11-16T12:00:00.000Z', 0],
  ['nonsense',                      '2026-11-16T12:00:00.000Z', 0],
  ['Mon, 16 Nov 2026 12:00:00 GMT', '2026-11-16T12:00:00.900Z', 0],
  ['Mon, 16 Nov 2026 12:00:02 GMT', '2026-11-16T12:00:00.000Z', 0],
  ['Mon, 16 Nov 2026 12:10:00 GMT', '2026-11-16T12:00:00.000Z', 600_000],
  ['Mon, 16 Nov 2026 11:50:00 GMT', '2026-11-16T12:00:00.000Z', -600_000],
]
for (const [header, now, offsetMs] of clocks)
  test(`the service says ${header}, this machine ${now}: ${offsetMs} ms`, () => {
    assert.equal(readOffset(header, Date.parse(now)), offsetMs)
  })
