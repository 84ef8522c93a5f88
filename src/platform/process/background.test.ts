import assert from 'node:assert/strict'
import { test } from 'node:test'
import pino from 'pino'
import { Background } from './background.ts'

test('a stop waits for it, and what fails is logged and stops nothing', async () => {
  const lines: string[] = []
  const background = new Background(pino({ level: 'error' }, { write: (line) => lines.push(line) }))
  const held = Promise.withResolvers<void>()
  let isDone = false
  background.begin('slow', () => held.promise.then(() => void (isDone = true)))
  background.begin('bad', () => Promise.reject(new Error('no')))
  const settled = background.settle()
  held.resolve()
  await settled
  assert.equal(isDone, true)
  assert.equal(lines.length, 1)
  assert.match(lines[0] ?? '', /work in the background failed/)
})

test('there is an end to how much is begun', async () => {
  const background = new Background(pino({ level: 'silent' }))
  const held = Promise.withResolvers<void>()
  const begun = Array.from({ length: 101 }, () => background.begin('x', () => held.promise))
  assert.equal(begun.filter(Boolean).length, 100)
  held.resolve()
  await background.settle()
  assert.equal(
    background.begin('x', async () => {}),
    true,
  )
})
