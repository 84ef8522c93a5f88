import assert from 'node:assert/strict'
import { test } from 'node:test'
import { WorkSignal } from './work-signal.ts'

test('announce: wakes who listens to that work, until it ends', () => {
  const signal = new WorkSignal()
  const woken: string[] = []
  const end = signal.listen('ALERTS', () => woken.push('alerts'))
  signal.listen('SLOTS', () => woken.push('slots'))
  signal.announce(['ALERTS', 'NOTICES'])
  assert.deepEqual(woken, ['alerts'])
  end()
  signal.announce(['ALERTS', 'SLOTS'])
  assert.deepEqual(woken, ['alerts', 'slots'])
})

test('setAlone: when another process appears, all loops poll at once', () => {
  const signal = new WorkSignal()
  let woken = 0
  signal.listen('DELIVERIES', () => void woken++)
  assert.equal(signal.isAlone, false)
  signal.setAlone(true)
  assert.equal(woken, 0)
  signal.setAlone(false)
  signal.setAlone(false)
  assert.equal(woken, 1)
})
