import assert from 'node:assert/strict'
import { test } from 'node:test'
import { collectInTurn, runInTurn } from './busy-work.ts'

function keepBusy(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

test('runInTurn: a long queue of one organization delays another by one piece', async () => {
  const order: string[] = []
  const render = (orgId: string, name: string) =>
    runInTurn(orgId, () => {
      keepBusy(1)
      order.push(name)
    })
  const many = Array.from({ length: 20 }, (_, n) => render('a', `a${n}`))
  await Promise.all([...many, render('b', 'b0')])
  assert.ok(order.indexOf('b0') <= 2, order.join(' '))
})

test('runInTurn: other work gets more time than rendering, and gets it in between', async () => {
  const pieces = 5
  const pieceMs = 20
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const startedMs = performance.now()
  await Promise.all(Array.from({ length: pieces }, () => runInTurn('a', () => keepBusy(pieceMs))))
  clearInterval(timer)
  assert.ok(performance.now() - startedMs >= pieces * pieceMs * 3.9)
  assert.ok(turns >= pieces * 5, `${turns} turns`)
})

test('runInTurn: what fails says so, and holds up nobody', async () => {
  const failing = runInTurn('a', () => {
    throw new TypeError('broken')
  })
  await assert.rejects(failing, TypeError)
  assert.equal(await runInTurn('a', () => 1), 1)
})

test('collectInTurn: everything in its order, with turns for others in between', async () => {
  function* numbers() {
    for (let n = 0; n < 20; n++) {
      keepBusy(2)
      yield n
    }
  }
  let turns = 0
  const timer = setInterval(() => turns++, 1)
  const taken = await collectInTurn('a', numbers())
  clearInterval(timer)
  assert.deepEqual(
    taken,
    Array.from({ length: 20 }, (_, n) => n),
  )
  assert.ok(turns >= 10, `${turns} turns`)
  assert.deepEqual(await collectInTurn('a', []), [])
})
