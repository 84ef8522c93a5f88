import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  isLinkAlive,
  type SubscribeOutcome,
  type Subscriber,
  subscribeOutcome,
} from './subscriber.ts'

const NOW = new Date('2026-11-14T12:00:00Z')
const minutesAgo = (minutes: number) => new Date(NOW.getTime() - minutes * 60_000)

// biome-ignore format: a table is read by its columns
const rows: [mails: number, lastMinutesAgo: number, confirmed: boolean, then: SubscribeOutcome][] = [
  [1,    4,    false, 'NOTHING'],
  [1,    5,    false, 'CONFIRM'],
  [1,    5,    true,  'REMIND'],
  [2,    59,   false, 'NOTHING'],
  [2,    60,   false, 'CONFIRM'],
  [3,    719,  true,  'NOTHING'],
  [3,    720,  true,  'REMIND'],
  [4,    1439, false, 'NOTHING'],
  [4,    1440, false, 'CONFIRM'],
  [4000, 1439, true,  'NOTHING'], // one a day, however often it is requested
  [4000, 1440, true,  'REMIND'],
]

for (const [mailsAskedFor, minutes, confirmed, then] of rows)
  test(`${mailsAskedFor} mails, the last ${minutes} min ago${confirmed ? ', confirmed' : ''} -> ${then}`, () => {
    assert.equal(subscribeOutcome(subscriber(mailsAskedFor, minutes, confirmed), NOW), then)
  })

test('an address nobody knows is asked to confirm', () => {
  assert.equal(subscribeOutcome(undefined, NOW), 'CONFIRM')
})

test('a link confirms for two days; one that has confirmed leads to its settings for good', () => {
  assert.equal(isLinkAlive(subscriber(1, 2879, false), NOW), true)
  assert.equal(isLinkAlive(subscriber(1, 2880, false), NOW), false)
  assert.equal(isLinkAlive(subscriber(1, 1_000_000, true), NOW), true)
})

function subscriber(mailsAskedFor: number, minutes: number, confirmed: boolean): Subscriber {
  return {
    kind: 'EMAIL',
    uuid: 's',
    pageUuid: 'p',
    componentUuids: null,
    confirmedAt: confirmed ? minutesAgo(minutes) : null,
    mailsAskedFor,
    askedAt: minutesAgo(minutes),
  }
}
