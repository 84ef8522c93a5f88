// A process that stops must still apply the pings it has acknowledged.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
const { api } = fixture
after(() => fixture.stop())

test('/hb: a report that waits for the end of its minute is applied when the process stops', async () => {
  const { id, heartbeatUrl } = await api.createMonitor()
  const other = await fixture.stack.start('api')
  const address = other.baseUrl + new URL(String(heartbeatUrl)).pathname
  const call = async (suffix: string) =>
    assert.equal((await fetch(address + suffix)).status, 200, suffix)
  const state = async () => (await api.getMonitor(id)).state
  // 30 pings and 10 state changes are applied immediately.
  for (let i = 0; i < 30; i++) await call('')
  for (let i = 0; i < 5; i++) for (const suffix of ['/fail', '']) await call(suffix)
  await call('/fail')
  assert.equal(await state(), 'UP')
  await other.stop()
  assert.equal(await state(), 'DOWN')
})
