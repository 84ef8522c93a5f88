import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { WorkSignal } from '../platform/process/work-signal.ts'
import { everyOrWoken } from './every-or-woken.ts'

const FAR_MS = 600_000
const fail = (error: unknown) => assert.fail(String(error))

function countRounds(t: TestContext, signal: WorkSignal | undefined, isLeft = false) {
  let rounds = 0
  const round = async () => {
    rounds += 1
    return isLeft
  }
  const loop = everyOrWoken({ waitMs: 5, restMs: FAR_MS, work: 'ALERTS', signal }, round, fail)
  t.after(() => loop.stop())
  return { rounds: () => rounds, loop }
}

/** A busy machine may take its time. */
async function until(isTrue: () => boolean): Promise<void> {
  const lastMs = Date.now() + 10_000
  while (!isTrue() && Date.now() < lastMs) await delay(5)
}

test('everyOrWoken: rests after a round that found nothing, until it is woken', async (t) => {
  const signal = new WorkSignal()
  signal.setAlone(true)
  const { rounds, loop } = countRounds(t, signal)
  await until(() => rounds() === 1)
  signal.announce(['NOTICES'])
  await delay(50)
  assert.equal(rounds(), 1)
  signal.announce(['ALERTS'])
  await until(() => rounds() === 3)
  await delay(50)
  // The woken round, and one for what was locked during it.
  assert.equal(rounds(), 3)
  await loop.stop()
  signal.announce(['ALERTS'])
  await delay(20)
  assert.equal(rounds(), 3)
})

test('everyOrWoken: polls while something is left, or other processes may bring work', async (t) => {
  const alone = new WorkSignal()
  alone.setAlone(true)
  for (const [signal, isLeft] of [
    [alone, true],
    [new WorkSignal(), false],
    [undefined, false],
  ] as const) {
    const { rounds, loop } = countRounds(t, signal, isLeft)
    await until(() => rounds() > 3)
    assert.ok(rounds() > 3, `${rounds()} rounds`)
    await loop.stop()
  }
})

test('everyOrWoken: a commit during a round is found by the next one', async (t) => {
  const signal = new WorkSignal()
  signal.setAlone(true)
  let rounds = 0
  const round = async () => {
    rounds += 1
    if (rounds === 1) signal.announce(['ALERTS'])
    return false
  }
  const loop = everyOrWoken({ waitMs: 5, restMs: FAR_MS, work: 'ALERTS', signal }, round, fail)
  t.after(() => loop.stop())
  await until(() => rounds === 3)
  await delay(50)
  // The last one is for what was locked.
  assert.equal(rounds, 3)
})

test('everyOrWoken: a failed round is repeated soon', async (t) => {
  const signal = new WorkSignal()
  signal.setAlone(true)
  const errors: unknown[] = []
  const round = async () => {
    if (errors.length < 2) throw new Error('no database')
    return false
  }
  const pace = { waitMs: 5, restMs: FAR_MS, work: 'ALERTS', signal } as const
  const loop = everyOrWoken(pace, round, (error) => errors.push(error))
  t.after(() => loop.stop())
  await until(() => errors.length === 2)
  await delay(50)
  assert.equal(errors.length, 2)
})
