import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { DueTimer } from './due-timer.ts'

const SPACING_MS = 20
// Machines that run tests are busy, so nothing here fails because something is late.
const PLENTY_MS = 2000

function open(due: number[]) {
  const fired: { atMs: number; slots: number[] }[] = []
  const errors: unknown[] = []
  const timer = new DueTimer({
    spacingMs: SPACING_MS,
    dueInMs: () => (due.length === 0 ? undefined : Math.min(...due) - performance.now()),
    fire() {
      const nowMs = performance.now()
      const slots = due.filter((ms) => ms <= nowMs)
      for (const ms of slots) due.splice(due.indexOf(ms), 1)
      fired.push({ atMs: nowMs, slots })
      if (slots.some((ms) => ms < 0)) throw new Error('planted')
    },
    onError: (error) => errors.push(error),
  })
  const until = async (isDone: () => boolean) => {
    const endMs = performance.now() + PLENTY_MS
    while (!isDone() && performance.now() < endMs) await delay(1)
    timer.stop()
    assert.ok(isDone())
  }
  return { timer, fired, errors, until }
}

test('nothing is due: it never wakes', async () => {
  const { timer, fired } = open([])
  timer.arm()
  await delay(3 * SPACING_MS)
  timer.stop()
  assert.deepEqual(fired, [])
})

test('each is started at its time, never early, and without waking in between', async () => {
  const startMs = performance.now()
  const due = [startMs + 30, startMs + 90, startMs + 150]
  const { timer, fired, until } = open([...due])
  timer.arm()
  await until(() => fired.reduce((sum, { slots }) => sum + slots.length, 0) === due.length)
  for (const { atMs, slots } of fired) for (const ms of slots) assert.ok(atMs >= ms)
  assert.ok(fired.length <= due.length, `${fired.length} wake-ups`)
})

test('one that is due earlier than the others wakes it earlier', async () => {
  const due = [performance.now() + 60_000]
  const { timer, fired, until } = open(due)
  timer.arm()
  const soonMs = performance.now() + 10
  due.push(soonMs)
  timer.arm()
  await until(() => fired.some(({ slots }) => slots.includes(soonMs)))
  assert.equal(due.length, 1)
})

test('those that follow closely start together', async () => {
  const startMs = performance.now()
  const due = Array.from({ length: 40 }, (_, i) => startMs + i)
  const { timer, fired, until } = open(due)
  timer.arm()
  await until(() => due.length === 0)
  fired.slice(1).forEach(({ atMs }, i) => {
    assert.ok(atMs - (fired[i]?.atMs ?? 0) >= SPACING_MS - 1)
  })
})

test('an error is reported, and the next one still starts', async () => {
  const laterMs = performance.now() + 10
  const { timer, fired, errors, until } = open([-1, laterMs])
  timer.arm()
  await until(() => fired.some(({ slots }) => slots.includes(laterMs)))
  assert.equal(errors.length, 1)
})

const DAYS_MS = 86_400_000

test('the clock is set back by more than a timer can wait: it does not wake all the time', async () => {
  let offsetMs = 0
  let readings = 0
  const dueMs = performance.now() + 5
  const fired: number[] = []
  const timer = new DueTimer({
    spacingMs: SPACING_MS,
    dueInMs() {
      readings += 1
      return fired.length > 0 ? undefined : dueMs - (performance.now() + offsetMs)
    },
    fire: () => fired.push(performance.now()),
    onError: assert.fail,
  })
  offsetMs = -30 * DAYS_MS
  timer.arm()
  await delay(3 * SPACING_MS)
  assert.deepEqual([readings, fired], [1, []])
  // And forward again, which nobody tells the timer but the next round of planning.
  offsetMs = 0
  timer.arm()
  const endMs = performance.now() + PLENTY_MS
  while (fired.length === 0 && performance.now() < endMs) await delay(1)
  timer.stop()
  assert.equal(fired.length, 1)
})

test('the clock is set back while it waits: what is due then waits for its time', async () => {
  let offsetMs = 0
  const dueMs = performance.now() + 10
  const due = [dueMs]
  const firedAt: number[] = []
  const timer = new DueTimer({
    spacingMs: SPACING_MS,
    dueInMs: () => (due.length === 0 ? undefined : dueMs - (performance.now() + offsetMs)),
    fire: () => {
      due.pop()
      firedAt.push(performance.now() + offsetMs)
    },
    onError: assert.fail,
  })
  timer.arm()
  offsetMs = -40
  const endMs = performance.now() + PLENTY_MS
  while (firedAt.length === 0 && performance.now() < endMs) await delay(1)
  timer.stop()
  assert.ok((firedAt[0] ?? 0) >= dueMs, `${firedAt[0]} is before ${dueMs}`)
})

test('something is due again at once, while it starts checks: it is started after the spacing', async () => {
  const due = [performance.now()]
  const fired: number[] = []
  const timer = new DueTimer({
    spacingMs: SPACING_MS,
    dueInMs: () => (due.length === 0 ? undefined : Math.min(...due) - performance.now()),
    fire() {
      fired.push(performance.now())
      due.pop()
      if (fired.length < 3) due.push(performance.now())
      timer.arm()
    },
    onError: assert.fail,
  })
  timer.arm()
  const endMs = performance.now() + PLENTY_MS
  while (fired.length < 3 && performance.now() < endMs) await delay(1)
  timer.stop()
  assert.equal(fired.length, 3)
  fired.slice(1).forEach((atMs, i) => assert.ok(atMs - (fired[i] ?? 0) >= SPACING_MS - 1))
})

test('stopped: it does not wake any more, and cannot be armed', async () => {
  const { timer, fired } = open([performance.now() + 5])
  timer.arm()
  timer.stop()
  timer.arm()
  await delay(3 * SPACING_MS)
  assert.deepEqual(fired, [])
})
