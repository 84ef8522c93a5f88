import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { renderMessages } from './render-messages.ts'
import { renderInTurn } from './render-queue.ts'
import type { Incident } from './snapshot.ts'

function keepBusy(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

test('renderInTurn: a long queue of one organization delays another by one piece', async () => {
  const order: string[] = []
  const render = (orgId: string, name: string) =>
    renderInTurn(orgId, () => {
      keepBusy(1)
      order.push(name)
    })
  const many = Array.from({ length: 20 }, (_, n) => render('a', `a${n}`))
  await Promise.all([...many, render('b', 'b0')])
  assert.ok(order.indexOf('b0') <= 2, order.join(' '))
})

test('renderInTurn: other work gets more time than rendering, and gets it in between', async () => {
  const pieces = 5
  const pieceMs = 20
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const startedMs = performance.now()
  await Promise.all(
    Array.from({ length: pieces }, () => renderInTurn('a', () => keepBusy(pieceMs))),
  )
  clearInterval(timer)
  assert.ok(performance.now() - startedMs >= pieces * pieceMs * 2.9)
  assert.ok(turns >= pieces * 5, `${turns} turns`)
})

test('renderInTurn: what fails says so, and holds up nobody', async () => {
  const failing = renderInTurn('a', () => {
    throw new TypeError('broken')
  })
  await assert.rejects(failing, TypeError)
  assert.equal(await renderInTurn('a', () => 1), 1)
})

test('renderMessages: many messages are rendered in pieces', async () => {
  const updates = Array.from({ length: 60 }, (_, n) => ({
    id: `siu_${n}`,
    incidentId: 'sin_1',
    status: 'INVESTIGATING' as const,
    message: `${n} ${'*a* [b](https://example.com) '.repeat(40)}`,
    components: [],
    createdAt: new Date(0),
  }))
  const incident = { updates } as unknown as Incident
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  await sleep(5)
  const before = turns
  await renderMessages('a', [incident])
  clearInterval(timer)
  assert.ok(turns - before >= 10, `${turns - before} turns`)
})
