// The validator of files is compared with Ajv, on values near the edge of what is allowed.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Ajv2020 } from 'ajv/dist/2020.js'
import fc from 'fast-check'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { findProblems } from './find-problems.ts'
import { describePattern } from './forms.ts'
import { getFileSchema } from './schema.ts'

const ajv = new Ajv2020({ strict: false, validateFormats: false })
const accepts = ajv.compile(getFileSchema())

const good: JsonObject = {
  version: 1,
  source: 'shop/upvane.yaml',
  defaults: { monitor: { intervalSeconds: 60 } },
  contacts: {
    ops: { name: 'Ops', channel: 'SLACK', settings: { url: 'https://hooks.slack.com/x' } },
    mail: { name: 'Mail', channel: 'EMAIL', settings: { address: 'a@example.com' } },
  },
  tags: { prod: { name: 'Production' } },
  monitors: {
    checkout: {
      name: 'Checkout',
      type: 'HTTP',
      url: 'https://shop.example.com',
      expectedStatus: [200, '204-206'],
      requestHeaders: { Authorization: 'x' },
      tags: ['prod'],
      contacts: ['ops'],
    },
  },
  statusPages: {
    public: { name: 'Shop', sections: [{ name: 'A', components: [{ monitor: 'checkout' }] }] },
  },
  maintenanceWindows: {
    sunday: {
      name: 'Patches',
      startsAt: '2026-12-06T02:00:00+01:00',
      endsAt: '2026-12-06T03:00:00+01:00',
      recurrence: { frequency: 'WEEKLY', daysOfWeek: ['SUNDAY'] },
      monitors: ['checkout'],
    },
  },
  webhookEndpoints: { ops: { url: 'https://ops.example.com/hooks', eventTypes: ['*'] } },
  moved: [{ from: 'monitors.a', to: 'monitors.b' }],
}

test('findProblems: a file with everything has none', () => {
  assert.deepEqual(findProblems(getFileSchema(), good), [])
  assert.equal(accepts(good), true)
})

type Row = [what: string, change: JsonObject, path: string, message: RegExp]
// biome-ignore format: a table
const WRONG: Row[] = [
  ['another version', { version: 2 }, 'version', /must be 1/],
  ['an unknown section', { colors: {} }, 'colors', /is not known\. Known: version, source/],
  ['a section that is almost right', { monitor: {} }, 'monitor', /is not known\. Did you mean monitors\?/],
  ['an unknown field', { monitors: { a: { name: 'A', type: 'CRON', intervall: 60 } } }, 'monitors.a.intervall', /is not known/],
  ['a missing field', { monitors: { a: { type: 'CRON' } } }, 'monitors.a', /name is required/],
  ['a field that the type needs', { monitors: { a: { name: 'A', type: 'HTTP' } } }, 'monitors.a', /url is required/],
  ['a text for a number', { monitors: { a: { name: 'A', type: 'CRON', intervalSeconds: '60' } } }, 'monitors.a.intervalSeconds', /a whole number/],
  ['a number out of bounds', { monitors: { a: { name: 'A', type: 'CRON', intervalSeconds: 29 } } }, 'monitors.a.intervalSeconds', /at least 30/],
  ['an unknown type', { monitors: { a: { name: 'A', type: 'FTP' } } }, 'monitors.a.type', /must be one of .*HTTP/],
  ['a bad range', { monitors: { a: { name: 'A', type: 'CRON', expectedStatus: ['2xx'] } } }, 'monitors.a.expectedStatus.0', /such as 200-206/],
  ['a code out of bounds', { monitors: { a: { name: 'A', type: 'CRON', expectedStatus: [600] } } }, 'monitors.a.expectedStatus.0', /at most 599/],
  ['a bad key', { monitors: { 'a b': { name: 'A', type: 'CRON' } } }, 'monitors.a b', /1 to 64 letters/],
  ['a setting of another channel', { contacts: { a: { name: 'A', channel: 'EMAIL', settings: { url: 'x' } } } }, 'contacts.a.settings', /address is required/],
  ['a time without an offset', { maintenanceWindows: { a: { name: 'A', startsAt: '2026-12-06T02:00:00', endsAt: '2026-12-06T03:00:00Z', allMonitors: true } } }, 'maintenanceWindows.a.startsAt', /with its offset/],
  ['a bad slug', { statusPages: { a: { name: 'A', slug: 'A B' } } }, 'statusPages.a.slug', /lowercase/],
]

for (const [what, change, path, message] of WRONG)
  test(`findProblems: ${what}`, () => {
    const problems = findProblems(getFileSchema(), { ...good, ...change })
    const [first] = problems
    assert.equal(first?.path.join('.'), path, JSON.stringify(problems))
    assert.match(first?.message ?? '', message)
  })

const leaf = fc.oneof(
  fc.constantFrom<JsonValue>(
    null,
    true,
    0,
    1,
    -1,
    29,
    30,
    599,
    600,
    1.5,
    '',
    'HTTP',
    'a',
    '200-206',
    [],
    {},
  ),
  fc.string({ maxLength: 130 }),
)

/** Replaces, removes or adds one value at a random place. */
function damage(value: JsonValue, path: readonly number[], to: JsonValue): JsonValue {
  const [at = 0, ...rest] = path
  if (value === null || typeof value !== 'object' || path.length === 0) return to
  const names = Object.keys(value)
  const name = names[at % (names.length + 1)] ?? 'extra'
  const inside = Array.isArray(value) ? (value[Number(name)] ?? null) : (value[name] ?? null)
  const changed = damage(inside, rest, to)
  if (Array.isArray(value)) return value.map((each, nth) => (String(nth) === name ? changed : each))
  if (to === null && rest.length === 0)
    return Object.fromEntries(Object.entries(value).filter(([each]) => each !== name))
  return { ...value, [name]: changed }
}

test('findProblems: accepts exactly what Ajv accepts', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(12), { minLength: 1, maxLength: 7 }), leaf, (path, to) => {
      const value = damage(good, path, to)
      // Times are judged by this program alone.
      const problems = findProblems(getFileSchema(), value).filter(
        ({ message }) => !message.includes('with its offset'),
      )
      assert.equal(
        problems.length === 0,
        accepts(value),
        JSON.stringify([problems, accepts.errors]),
      )
    }),
    { numRuns: 3_000 },
  )
})

test('every pattern of the schema has a text of its own', () => {
  const patterns = patternsIn(getFileSchema())
  assert.ok(patterns.length > 10)
  assert.deepEqual(
    patterns.filter((pattern) => describePattern(pattern) === undefined),
    [],
  )
})

function patternsIn(schema: unknown): string[] {
  if (typeof schema !== 'object' || schema === null) return []
  return Object.entries(schema).flatMap(([name, value]) =>
    name === 'pattern' && typeof value === 'string' ? [value] : patternsIn(value),
  )
}
