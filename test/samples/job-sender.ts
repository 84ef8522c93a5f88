// A sender of jobs on the bus of a single process; it ends with the test file.
import assert from 'node:assert/strict'
import { after } from 'node:test'
import type { ProbeAnnouncement } from '../../src/bus/bus.ts'
import { createLocalBus } from '../../src/bus/local-bus.ts'
import { DatabaseClock } from '../../src/engine/database-clock.ts'
import { JobSender } from '../../src/engine/probing/job-sender.ts'
import { ProbeConduct } from '../../src/engine/probing/probe-conduct.ts'

/** Probes are those that `live` says; version 0.2.0 sends the jobs. */
export function openJobSender(live: readonly ProbeAnnouncement[] = []) {
  const fail = (error: unknown) => assert.fail(String(error))
  const bus = createLocalBus({ onError: fail })
  const clock = new DatabaseClock()
  clock.set(Date.now(), performance.now())
  const conduct = new ProbeConduct('0.2.0')
  conduct.watch(() => live)
  const sender = new JobSender(bus, clock, fail, conduct)
  after(async () => {
    await sender.stop()
    await bus.close()
  })
  return { bus, clock, conduct, sender }
}
