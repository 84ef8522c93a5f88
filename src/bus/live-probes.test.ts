import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LiveProbes, PROBE_DEAD_AFTER_MS, REGION_PRESENT_MS } from './live-probes.ts'

test('LiveProbes: a region lives as long as one of its probes was heard in the last 6 s', () => {
  const probes = new LiveProbes()
  probes.record(announcementOf('eu', 'eu-1'), 0)
  probes.record(announcementOf('eu', 'eu-2'), 4000)
  probes.record(announcementOf('us', 'us-1'), 1000)

  assert.deepEqual(probes.regions(PROBE_DEAD_AFTER_MS), ['eu', 'us'])
  assert.deepEqual(probes.regions(PROBE_DEAD_AFTER_MS + 1001), ['eu'])
  assert.deepEqual(probes.regions(10_001), [])
})

test('LiveProbes: a probe counts with its latest announcement, and comes back', () => {
  const probes = new LiveProbes()
  probes.record({ ...announcementOf('eu', 'eu-1'), capacity: 100, inFlight: 90 }, 0)
  probes.record({ ...announcementOf('eu', 'eu-1'), capacity: 50, inFlight: 7 }, 1000)
  probes.record({ ...announcementOf('eu', 'eu-2'), capacity: 30, inFlight: 3 }, 1000)

  assert.deepEqual(probes.loadOf('eu', 2000), { probes: 2, capacity: 80, inFlight: 10 })
  assert.deepEqual(probes.loadOf('us', 2000), { probes: 0, capacity: 0, inFlight: 0 })
  assert.deepEqual(probes.loadOf('eu', 60_000), { probes: 0, capacity: 0, inFlight: 0 })
  probes.record(announcementOf('eu', 'eu-1'), 61_000)
  assert.deepEqual(probes.regions(61_000), ['eu'])
})

test('LiveProbes: a region stays present for an hour after its last probe was seen', () => {
  const probes = new LiveProbes()
  probes.record(announcementOf('eu', 'eu-1'), 0)
  probes.record(announcementOf('us', 'us-1'), REGION_PRESENT_MS)
  assert.deepEqual(probes.regions(REGION_PRESENT_MS), ['us'])
  assert.deepEqual(probes.presentRegions(REGION_PRESENT_MS), ['eu', 'us'])
  assert.deepEqual(probes.presentRegions(REGION_PRESENT_MS, 'PING'), [])
  assert.deepEqual(probes.presentRegions(REGION_PRESENT_MS + 1), ['us'])
})

test('LiveProbes: regions that can check a type', () => {
  const probes = new LiveProbes()
  probes.record({ ...announcementOf('eu', 'eu-1'), can: ['HTTP'] }, 0)
  probes.record({ ...announcementOf('eu', 'eu-2'), can: ['HTTP', 'PING'] }, 0)
  probes.record({ ...announcementOf('us', 'us-1'), can: ['HTTP'] }, 0)

  assert.deepEqual(probes.regions(0, 'PING'), ['eu'])
  assert.deepEqual(probes.regions(0, 'HTTP'), ['eu', 'us'])
})

test('LiveProbes: an unending stream of names does not fill the memory', () => {
  const probes = new LiveProbes()
  for (let count = 0; count < 12_000; count++) probes.record(announcementOf('eu', `p-${count}`), 0)
  assert.equal(probes.loadOf('eu', 0).probes, 10_000)
  probes.record(announcementOf('eu', 'new'), PROBE_DEAD_AFTER_MS + 1)
  assert.equal(probes.loadOf('eu', PROBE_DEAD_AFTER_MS + 1).probes, 1)
})

function announcementOf(region: string, probe: string) {
  return { region, probe, capacity: 10, inFlight: 0, can: ['HTTP'] }
}
