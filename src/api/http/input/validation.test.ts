import assert from 'node:assert/strict'
import { test } from 'node:test'
import { compileQuery } from './query-string.ts'
import { compile } from './validation.ts'

const validate = compile({
  type: 'object',
  properties: {
    name: { type: 'string', minLength: 1, maxLength: 3 },
    count: { type: 'integer', minimum: 1, default: 7 },
    tags: { type: 'array', items: { type: 'integer' } },
    headers: { type: ['object', 'null'], additionalProperties: { type: 'string' } },
    nested: { type: 'object', properties: { on: { type: 'boolean' } } },
  },
  required: ['name'],
})
const problems = (input: unknown) =>
  validate(input).problems.map(({ path, message }) => `${path}: ${message}`)

test('defaults are filled in and unknown properties left behind, at every depth', () => {
  const { value } = validate(
    JSON.parse('{"x":1,"nested":{"on":true,"y":2},"__proto__":{"z":1},"name":"a"}'),
  )
  assert.deepEqual(value, { name: 'a', nested: { on: true }, count: 7 })
})

test('properties come out in the order of the contract', () => {
  assert.deepEqual(Object.keys(validate({ tags: [], count: 1, name: 'a' }).value), [
    'name',
    'count',
    'tags',
  ])
})

test('a key called __proto__ is refused in a map, ignored elsewhere, and never becomes a prototype', () => {
  const inMap = validate(JSON.parse('{"name":"a","headers":{"__proto__":"x","b":"c"}}'))
  assert.deepEqual(inMap.problems, [{ path: 'headers.__proto__', message: 'is not allowed here' }])
  const beside = validate(JSON.parse('{"name":"a","__proto__":{"count":7}}'))
  assert.deepEqual([beside.problems, beside.value['count']], [[], 7])
})

test('every problem is found in one pass, at its dotted path', () => {
  assert.deepEqual(
    problems({ count: 0, tags: [1, 'x'], headers: { 'X-A': 1 }, nested: { on: 1 } }),
    [
      'name: is required',
      'count: must be 1 or more',
      'tags.1: must be a whole number',
      'headers.X-A: must be a string',
      'nested.on: must be true or false',
    ],
  )
})

test('nothing is coerced', () => {
  assert.deepEqual(problems({ name: 'a', count: '7' }), ['count: must be a whole number'])
  assert.deepEqual(problems({ name: 'a', count: 1.5 }), ['count: must be a whole number'])
  assert.deepEqual(problems({ name: 'a', count: 7.0 }), [])
  assert.deepEqual(problems({ name: null }), ['name: must be a string'])
})

test('lengths count code points, not UTF-16 units', () => {
  assert.deepEqual(problems({ name: '🙂🙂🙂' }), [])
  assert.deepEqual(problems({ name: '🙂🙂🙂🙂' }), ['name: must have at most 3 characters'])
})

test('U+0000 and half a surrogate pair are refused wherever they stand', () => {
  const expected = 'must not hold U+0000 or half a surrogate pair'
  assert.deepEqual(problems({ name: 'a\0' }), [`name: ${expected}`])
  assert.deepEqual(problems({ name: 'a', headers: { h: '\ud800' } }), [`headers.h: ${expected}`])
})

for (const body of [null, [], 'x', 1, true])
  test(`${JSON.stringify(body)} is no object`, () => {
    assert.deepEqual(problems(body), ['body: must be a JSON object'])
  })

const query = compileQuery({
  type: 'object',
  properties: {
    limit: { type: 'integer', minimum: 1, maximum: 100, default: 25 },
    state: { type: 'array', items: { type: 'string', enum: ['UP', 'DOWN'] } },
    on: { type: 'boolean' },
    q: { type: 'string', minLength: 1 },
  },
})

for (const bad of [
  '',
  '+1',
  '-1',
  '1.0',
  '1e1',
  '0x10',
  '010',
  ' 5',
  '5 ',
  '%20',
  '0',
  '101',
  'abc',
])
  test(`limit=${bad} is refused`, () => {
    assert.deepEqual(
      query(`limit=${bad}`).problems.map(({ path }) => path),
      ['limit'],
    )
  })

test('a query is read by its schema; unknown parameters are ignored', () => {
  assert.deepEqual(query('limit=5&state=UP,DOWN&on=true&q=a+b%26c&x=1&y').value, {
    limit: 5,
    state: ['UP', 'DOWN'],
    on: true,
    q: 'a b&c',
  })
  assert.deepEqual(query('').value, { limit: 25 })
})

for (const [text, path] of [
  ['limit=1&limit=1', 'limit'],
  ['state=UP,OFF', 'state'],
  ['state=', 'state'],
  ['on=1', 'on'],
  ['q=', 'q'],
  ['q=%zz', 'q'],
  ['q=%00', 'q'],
] as const)
  test(`?${text} is refused at ${path}`, () => {
    assert.deepEqual(
      query(text).problems.map((problem) => problem.path),
      [path],
    )
  })

test('a list may be as long as it says, and is never cut to fit', () => {
  const long = compile({
    type: 'object',
    properties: { ids: { type: 'array', maxItems: 5000, items: { type: 'integer' } } },
  })
  const ids = Array.from({ length: 5001 }, (_, at) => at)
  const fitting = long({ ids: ids.slice(1) })
  assert.deepEqual(fitting.problems, [])
  assert.equal((fitting.value['ids'] as number[]).length, 5000)
  assert.deepEqual(
    long({ ids }).problems.map(({ path }) => path),
    ['ids'],
  )
})
