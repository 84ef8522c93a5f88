import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  allocateSlots,
  cancelReasonOf,
  drainedOf,
  type QueueShare,
  type ReceiverQueue,
  roomToClaim,
  roomToRefill,
  type SendMode,
  sendModeOf,
  slotsOf,
  starvedMsOf,
} from './delivery-share.ts'
import { HEALTHY } from './retry-schedule.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const SOON = new Date(NOW.getTime() + 1000)
const PAST = new Date(NOW.getTime() - 1000)
const HELD = { failuresInARow: 12, failingSince: PAST, nextProbeAt: SOON, probeSeconds: 30 }
const PROBE = { ...HELD, nextProbeAt: PAST }

function receiverQueue(endpointId: string, changes: Partial<ReceiverQueue> = {}): ReceiverQueue {
  return {
    endpointId,
    orgId: 'org',
    channel: 'WEBHOOK',
    disabledReason: null,
    health: HEALTHY,
    warnedAt: null,
    dueAt: PAST,
    isAskedFor: false,
    endpointInFlight: 0,
    orgInFlight: 0,
    ...changes,
  }
}

// biome-ignore format: a table is read by its columns
const sendModes: [string, Partial<ReceiverQueue>, SendMode][] = [
  ['enabled and due',                       {},                                              'ALL'],
  ['enabled, nothing due',                  { dueAt: SOON },                                 'WAIT'],
  ['disabled by hand',                      { disabledReason: 'MANUAL' },                    'WAIT'],
  ['disabled by hand, a test is asked for', { disabledReason: 'MANUAL', isAskedFor: true },  'ASKED_FOR'],
  ['given up',                              { disabledReason: 'FAILING' },                   'GIVEN_UP'],
  ['given up, nothing due',                 { disabledReason: 'FAILING', dueAt: SOON },      'GIVEN_UP'],
  ['gone',                                  { disabledReason: 'GONE' },                      'GIVEN_UP'],
  ['gone, a test is asked for',             { disabledReason: 'GONE', isAskedFor: true },    'ASKED_FOR'],
  ['deleted',                               { orgId: null },                                 'GIVEN_UP'],
  ['breaker open',                          { health: HELD },                                'WAIT'],
  ['breaker open, a retry is asked for',    { health: HELD, isAskedFor: true },              'ASKED_FOR'],
  ['breaker due for a probe',               { health: PROBE },                               'ALL'],
  ['organization deleted',                  { isSuspended: true },                           'WAIT'],
  ['organization deleted, given up before', { isSuspended: true, disabledReason: 'GONE' },   'WAIT'],
  ['organization deleted, a test is asked', { isSuspended: true, isAskedFor: true },         'WAIT'],
  ['organization and receiver deleted',     { isSuspended: true, orgId: null },              'GIVEN_UP'],
]
for (const [name, changes, sendMode] of sendModes)
  test(`${name} -> ${sendMode}`, () =>
    assert.equal(sendModeOf(receiverQueue('a', changes), NOW), sendMode))

// biome-ignore format: a table is read by its columns
const slots: [string, Partial<ReceiverQueue>, number][] = [
  ['idle',                              {},                                                              4],
  ['three in flight',                   { endpointInFlight: 3 },                                         1],
  ['more in flight than allowed',       { endpointInFlight: 6 },                                         0],
  ['three failures in a row',           { health: { ...HEALTHY, failuresInARow: 3 } },                   4],
  ['four failures in a row',            { health: { ...HEALTHY, failuresInARow: 4 } },                   1],
  ['a probe is under way',              { health: PROBE, endpointInFlight: 1 },                          0],
]
for (const [name, changes, count] of slots)
  test(`${name}: ${count} slots`, () => assert.equal(slotsOf(receiverQueue('a', changes)), count))

const many = (count: number, changes: (i: number) => Partial<ReceiverQueue> = () => ({})) =>
  Array.from({ length: count }, (_, i) => receiverQueue(`e${i}`, { orgId: `o${i}`, ...changes(i) }))
const sum = (shares: { slots: number }[]) => shares.reduce((all, share) => all + share.slots, 0)

test('64 endpoints get four slots each; nobody is left for the next claim', () => {
  const { shares, last } = allocateSlots(many(64), 256, NOW)
  assert.deepEqual(new Set(shares.map((share) => share.slots)), new Set([4]))
  assert.equal(shares.length, 64)
  assert.equal(last, undefined)
})

test('everybody gets one slot before anybody gets a second one', () => {
  const { shares, last } = allocateSlots(many(100), 130, NOW)
  assert.deepEqual(
    shares.map((share) => share.slots),
    [...Array(30).fill(2), ...Array(70).fill(1)],
  )
  assert.equal(last, undefined)
})

test('more endpoints than room: the next claim begins after the last one that was served', () => {
  const { shares, last } = allocateSlots(many(400), 256, NOW)
  assert.equal(sum(shares), 256)
  assert.equal(last, 'e255')
})

test('an organization gets 32 slots over all its endpoints, in flight included', () => {
  const receivers = many(40, (i) => ({
    orgId: i < 20 ? 'big' : `o${i}`,
    orgInFlight: i < 20 ? 5 : 0,
  }))
  const { shares } = allocateSlots(receivers, 256, NOW)
  const big = shares.filter(({ endpointId }) => Number(endpointId.slice(1)) < 20)
  assert.equal(sum(big), 27)
  assert.equal(sum(shares) - sum(big), 80)
})

test('endpoints that keep failing never take the last half of the room', () => {
  const failing = { ...HEALTHY, failuresInARow: 4 }
  const receivers = [
    ...many(300, () => ({ health: failing })),
    receiverQueue('healthy', { orgId: 'other' }),
  ]
  const { shares } = allocateSlots(receivers, 256, NOW)
  assert.equal(sum(shares), 128 + 4)
  assert.equal(shares.at(-1)?.endpointId, 'healthy')
})

// biome-ignore format: a table is read by its columns
const rooms: [inFlight: number, toClaim: number, toRefill: number][] = [
  [0,   256, 192],
  [191,  65,   1],
  [192,  64,   0],
  [256,   0,   0],
]
for (const [inFlight, toClaim, toRefill] of rooms)
  test(`${inFlight} in flight: ${toClaim} more for a claim, ${toRefill} for a refill`, () =>
    assert.deepEqual([roomToClaim(inFlight), roomToRefill(inFlight)], [toClaim, toRefill]))

test('deliveries are canceled as of a deleted endpoint if there is none, else as of a disabled one', () => {
  assert.equal(cancelReasonOf(receiverQueue('a', { orgId: null })), 'ENDPOINT_DELETED')
  assert.equal(cancelReasonOf(receiverQueue('a')), 'ENDPOINT_DISABLED')
})

test('drained: took less than its share, or nothing', () => {
  const share = (endpointId: string, slots: number): QueueShare => ({
    endpointId,
    channel: 'WEBHOOK',
    slots,
    askedForOnly: false,
    flying: [],
  })
  const claimed = ['a', 'a', 'b'].map((endpointId) => ({ endpointId }))
  const shares = [share('a', 2), share('b', 2), share('c', 1)]
  assert.deepEqual(drainedOf(shares, claimed), new Set(['b', 'c']))
})

const LONG_AGO = new Date(NOW.getTime() - 60_000)
// biome-ignore format: a table is read by its columns
const starved: [string, Partial<ReceiverQueue>[], string[], number][] = [
  ['nobody waits',                         [],                                                 [],    0],
  ['the oldest counts',                    [{}, { dueAt: LONG_AGO }],                          [],    60_000],
  ['what was claimed now is not starved',  [{}, { dueAt: LONG_AGO }],                          ['e1'], 1_000],
  ['one with requests in flight is not',   [{ dueAt: LONG_AGO, endpointInFlight: 1 }, {}],     [],    1_000],
  ['its organization is at its limit',     [{ dueAt: LONG_AGO, orgInFlight: 32 }],             [],    0],
  ['its organization is below its limit',  [{ dueAt: LONG_AGO, orgInFlight: 31 }],             [],    60_000],
]
for (const [name, waiting, claimed, ms] of starved)
  test(`starved: ${name}`, () => {
    const queues = waiting.map((changes, i) => receiverQueue(`e${i}`, changes))
    const taken = claimed.map((endpointId) => ({ endpointId }))
    assert.equal(starvedMsOf(queues, taken, NOW), ms)
  })
