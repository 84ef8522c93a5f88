import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Language } from './message.ts'
import { completed, textsOf } from './texts.ts'

const languageOf = (tag: string): Language<string[]> => ({
  formatCount: (count) => new Intl.NumberFormat(tag).format(count),
  plurals: new Intl.PluralRules(tag),
  join: (pieces) => pieces.flat() as string[],
})
const ENGLISH = languageOf('en')

const CATALOG = {
  title: 'Monitors',
  short: '< 1 ms',
  down: '{name} is down',
  found: 'Found {count, plural, one {# monitor} other {# monitors}}.',
  sent: '{count, plural, =0 {No alerts sent} one {# alert sent to {name}} other {# alerts sent to {name}}}',
  both: 'On {pages, plural, one {# page} other {# pages}}, {people, plural, one {# subscriber} other {# subscribers}}',
  agree: 'Read the <terms>terms of {name}</terms>, and <b>agree</b>.',
  states: { UP: 'Up', DOWN: 'Down' },
  words: ['check', 'check now'],
} as const

const texts = textsOf(CATALOG, ENGLISH)

test('a message without values is its text, at any depth', () => {
  assert.equal(texts.title, 'Monitors')
  assert.equal(texts.short, '< 1 ms')
  assert.deepEqual({ ...texts.states }, CATALOG.states)
  assert.deepEqual(texts.words, CATALOG.words)
})

test('values are filled in, and numbers are written as in the language', () => {
  assert.equal(texts.down({ name: 'Shop' }), 'Shop is down')
  assert.equal(texts.down({ name: 5000 }), '5,000 is down')
  assert.equal(textsOf(CATALOG, languageOf('de')).down({ name: 5000 }), '5.000 is down')
})

test('a value is never read as a message: braces and tags in it stay as they are', () => {
  const hostile = '{count} <terms>x</terms> # {a, plural, other {}}'
  assert.equal(texts.down({ name: hostile }), `${hostile} is down`)
  const same = (inside: unknown) => inside as string[]
  assert.equal(
    texts.agree({ name: hostile, terms: same, b: same }),
    `Read the terms of ${hostile}, and agree.`,
  )
})

// biome-ignore format: a table is read by its columns
const COUNTS: [tag: string, message: string, counts: Record<number, string>][] = [
  ['en', '{n, plural, one {# day} other {# days}}',                                   { 0: '0 days', 1: '1 day', 2: '2 days', 1000: '1,000 days' }],
  ['en', '{n, plural, =0 {none} one {# day} other {# days}}',                         { 0: 'none', 1: '1 day', 2: '2 days' }],
  ['fr', '{n, plural, one {# jour} other {# jours}}',                                 { 0: '0 jour', 1: '1 jour', 2: '2 jours' }],
  ['pl', '{n, plural, one {# dzień} few {# dni} many {# dni.} other {# dnia}}',       { 1: '1 dzień', 2: '2 dni', 5: '5 dni.', 22: '22 dni' }],
  ['ar', '{n, plural, zero {z} one {o} two {t} few {f} many {m} other {x}}',          { 0: 'z', 1: 'o', 2: 't', 3: 'f', 11: 'm', 100: 'x' }],
  ['ja', '{n, plural, other {#日}}',                                                  { 0: '0日', 1: '1日', 2: '2日' }],
]
for (const [tag, message, counts] of COUNTS)
  test(`plurals of ${tag}: ${message}`, () => {
    const { days } = textsOf({ days: message as '{n, plural, other {#}}' }, languageOf(tag))
    for (const [n, text] of Object.entries(counts)) assert.equal(days({ n: Number(n) }), text)
  })

test('a sentence with two numbers has the right form of each', () => {
  assert.equal(texts.both({ pages: 1, people: 2 }), 'On 1 page, 2 subscribers')
  assert.equal(texts.sent({ count: 0, name: 'Ana' }), 'No alerts sent')
  assert.equal(texts.sent({ count: 1, name: 'Ana' }), '1 alert sent to Ana')
})

test('marked words and values can be elements, in the order of the language', () => {
  const mark = { terms: (inside: unknown) => [`<a>${inside}</a>`], b: () => ['<b>'] }
  const german = { agree: '<b>Zustimmen</b> zu <terms>{name}</terms>' }
  assert.deepEqual(texts.agree({ name: 'Upvane', ...mark }), [
    'Read the ',
    '<a>terms of Upvane</a>',
    ', and ',
    '<b>',
    '.',
  ])
  assert.deepEqual(
    textsOf(completed(CATALOG, german), ENGLISH).agree({ name: 'Upvane', ...mark }),
    ['<b>', ' zu ', '<a>Upvane</a>'],
  )
  assert.deepEqual(texts.down({ name: ['<time>'] }), ['<time>', ' is down'])
})

test('what a translation leaves out remains in English', () => {
  const german = textsOf(
    completed(CATALOG, { title: 'Monitore', states: { UP: 'Läuft' } }),
    ENGLISH,
  )
  assert.equal(german.title, 'Monitore')
  assert.deepEqual({ ...german.states }, { UP: 'Läuft', DOWN: 'Down' })
  assert.equal(german.down({ name: 'Shop' }), 'Shop is down')
})

test('a missing value leaves its name in the text instead of breaking the screen', () => {
  // @ts-expect-error A missing value does not compile.
  assert.equal(texts.down({}), '{name} is down')
})

test('what does not fit a message does not compile', () => {
  // Never called.
  const misuse = () => [
    // @ts-expect-error An unknown message.
    texts.titel,
    // @ts-expect-error A value that is not called so.
    texts.down({ title: 'Shop' }),
    // @ts-expect-error A count is a number.
    texts.found({ count: '2' }),
    // @ts-expect-error The second count is missing.
    texts.both({ pages: 1 }),
    // @ts-expect-error A value in a case is missing.
    texts.sent({ count: 1 }),
    // @ts-expect-error A tag needs an element.
    texts.agree({ name: 'Upvane', b: () => [] }),
    // @ts-expect-error A message without values is no function.
    texts.title({}),
  ]
  assert.equal(typeof misuse, 'function')
})
