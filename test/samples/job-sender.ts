// A sender of jobs on the bus of a single process; it ends with the test file.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import { createLocalBus } from '../../src/bus/local-bus.ts'
import { DatabaseClock } from '../../src/engine/database-clock.ts'
import { JobSender } from '../../src/engine/probing/job-sender.ts'

export function openJobSender() {
  const fail = (error: unknown) => assert.fail(String(error))
  const bus = createLocalBus({ onError: fail })
  const clock = new DatabaseClock()
  clock.set(Date.now(), performance.now())
  const sender = new JobSender(bus, clock, fail)
  after(async () => {
    await sender.stop()
    await bus.close()
  })
  return { bus, clock, sender }
}
