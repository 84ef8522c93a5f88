import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { BY_DAY, freeBytesOfDay, freeResponseBytes, KINDS } from '../../tools/storage-table.ts'
import { assault } from './assault.ts'
import type { Storage } from './storage.ts'
import { getWorld } from './world.ts'

const MIB = 1024 * 1024
/** The last event of a day may pass its quota, and a process writes four responses of an organization at once. */
const LAST_EVENT_BYTES = 1.5 * MIB
const LAST_RESPONSES_BYTES = MIB
// Rows of pings, recoveries that waited for five minutes, and the free space of new pages.
const UNCOUNTED_BYTES = 16 * MIB

assault('Everything it may write: one organization on FREE holds up nobody and fills no disk', {
  attack: 'everything',
  seconds: Number(process.env['HOSTILE_WRITE_SECONDS'] ?? 12),
  atLeast: { 'all 20': 40, 'ping 200': 120 },
  async meanwhile({ storage }, endMs) {
    const before = await storage.read()
    await sleep(endMs - Date.now())
    assertWithinTable(before, await storage.read())
  },
})

/** As docs/operating/storage.md says. */
function assertWithinTable(before: Storage, after: Storage): void {
  for (const kind of ['EVENTS', 'NEWS'] as const) {
    const most = freeBytesOfDay(kind) + LAST_EVENT_BYTES
    assert.ok(after.ofDay[kind] <= most, `${BY_DAY[kind].what}: ${after.ofDay[kind]} bytes`)
  }
  assert.ok(after.responseBytes <= freeResponseBytes() + LAST_RESPONSES_BYTES)
  assert.ok(after.incidents <= KINDS.statusIncidents.rows('FREE'))
  assert.ok(after.updates <= KINDS.statusIncidentUpdates.rows('FREE'))
  const [grown, counted] = [
    after.diskBytes - before.diskBytes,
    after.countedBytes - before.countedBytes,
  ]
  assert.ok(counted > 0, 'nothing was counted')
  assert.ok(grown <= counted + UNCOUNTED_BYTES, `${grown} bytes on disk, ${counted} counted`)
}

test('Everything it may write: the next day has room again', async () => {
  const { storage, attack } = await getWorld()
  await storage.endDay()
  const { tally } = await attack('writes', 2)
  assert.ok((tally['write 200'] ?? 0) > 0, JSON.stringify(tally))
})
