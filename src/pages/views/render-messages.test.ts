import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import type { PageIncident } from '../snapshot/snapshot.ts'
import { renderMessages } from './render-messages.ts'

test('renderMessages: many messages are rendered in pieces', async () => {
  const updates = Array.from({ length: 60 }, (_, n) => ({
    id: `siu_${n}`,
    incidentId: 'sin_1',
    status: 'INVESTIGATING' as const,
    message: `${n} ${'*a* [b](https://example.com) '.repeat(40)}`,
    components: [],
    createdAt: new Date(0),
  }))
  const incident = { updates } as unknown as PageIncident
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await sleep(5)
  const before = turns
  await renderMessages('a', [incident])
  clearInterval(timer)
  assert.ok(turns - before >= 10, `${turns - before} turns`)
})
