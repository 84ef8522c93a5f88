import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Alert } from './alert.ts'
import {
  bodyProblem,
  fillTemplate,
  type TemplateValues,
  templateProblems,
  templateValues,
} from './template.ts'
import { fillHeaders, headersProblem } from './template-headers.ts'

const ALERT: Alert = {
  kind: 'DOWN',
  thread: 'inc_01',
  organization: 'Acme',
  title: 'Checkout is down',
  summary: 'HTTP 503',
  facts: [{ label: 'Cause', value: 'HTTP 503' }],
  links: { open: 'https://up.example/i/1', acknowledge: null },
  at: '2026-11-14T13:27:10.000Z',
}
const VALUES = templateValues(ALERT, 'whd_1')
const NAMES = Object.keys(VALUES) as (keyof TemplateValues)[]

// biome-ignore format: a table is read by its columns
const rows: [template: string | null, format: 'JSON' | 'FORM' | 'TEXT', filled: string][] = [
  ['{"t":"{{title}}"}',              'JSON', '{"t":"Checkout is down"}'],
  ['{"t":"{{ title }}: {{summary}}"}', 'JSON', '{"t":"Checkout is down: HTTP 503"}'],
  ['{ "n": 12345678901234567890 }',  'JSON', '{ "n": 12345678901234567890 }'],
  ['{"{{kind}}":["{{status}}"]}',    'JSON', '{"DOWN":["firing"]}'],
  ['"{{acknowledge}}"',              'JSON', '""'],
  ['a={{title}}&b=%20',              'FORM', 'a=Checkout%20is%20down&b=%20'],
  ['{{headline}}',                   'TEXT', '✕ Checkout is down'],
  [null,                             'TEXT', '✕ Checkout is down\nHTTP 503\nCause: HTTP 503\nhttps://up.example/i/1\n'],
]
for (const [template, format, filled] of rows)
  test(`${format} ${template}: ${filled.slice(0, 40)}`, () => {
    assert.equal(fillTemplate(template, format, VALUES), filled)
  })

test('an empty template of any format says everything', () => {
  assert.deepEqual(JSON.parse(fillTemplate(null, 'JSON', VALUES)), VALUES)
  const fields = new URLSearchParams(fillTemplate(null, 'FORM', VALUES))
  assert.deepEqual(Object.fromEntries(fields), VALUES)
})

test('status: what opens is firing, what closes is resolved, and the rest is information', () => {
  const statusOf = (kind: Alert['kind']) => templateValues({ ...ALERT, kind }, '').status
  const kinds = ['DOWN', 'DEGRADED', 'REMINDER', 'RECOVERED', 'CLOSED', 'EXPIRING', 'TEST'] as const
  assert.deepEqual(kinds.map(statusOf), [
    'firing',
    'firing',
    'firing',
    'resolved',
    'resolved',
    'info',
    'info',
  ])
})

// biome-ignore format: a table is read by its columns
const problems: [body: string, format: string | undefined, problem: string | undefined][] = [
  ['{"t":"{{title}}"}',  undefined, undefined],
  ['{"t":{{title}}}',    undefined, 'must be JSON'],
  ['{"t":"{{title}}"',   'JSON',    'must be JSON'],
  ['{"t":"{{title}}"',   'TEXT',    undefined],
  ['a={{title}}',        'FORM',    undefined],
  ['a={{ title }}&b=1',  'FORM',    undefined],
  ['a=b c',              'FORM',    'must be fields such as title={{title}}&at={{at}}'],
  ['a=é',                'FORM',    'must be fields such as title={{title}}&at={{at}}'],
]
for (const [body, format, problem] of problems)
  test(`templateProblems ${format} ${body}: ${problem}`, () => {
    assert.equal(templateProblems({ body, format })[0]?.message, problem)
  })

test('a placeholder that stands for nothing is refused, and so are too many', () => {
  assert.equal(bodyProblem('{{titel}}'), 'has no placeholder {{titel}}')
  assert.equal(bodyProblem('{{constructor}}'), 'has no placeholder {{constructor}}')
  assert.equal(bodyProblem('{{title}}'.repeat(50)), undefined)
  assert.equal(bodyProblem('{{title}}'.repeat(51)), 'must have at most 50 placeholders')
  assert.equal(bodyProblem('{ {title}} {{Title}} {{}}'), undefined)
})

const HOSTILE = ['"', '\\', '\u0000', '\n', '\ud800', '{{title}}', '}}', '\u2028', '&', '%']
/** Any text, with lone surrogates, quotes, backslashes and placeholders of its own. */
const wildText = fc.oneof(
  fc.string({ unit: 'binary' }),
  fc.array(fc.constantFrom(...HOSTILE)).map((parts) => parts.join('')),
)
const wildValues = fc.record(
  Object.fromEntries(NAMES.map((name) => [name, wildText])) as Record<
    keyof TemplateValues,
    typeof wildText
  >,
)
const placeholder = fc.constantFrom(...NAMES.map((name) => `{{${name}}}`), '{{ title }}')
const templateText = fc.array(fc.oneof(placeholder, fc.string())).map((parts) => parts.join('|'))

/** Any JSON, with placeholders in its texts. */
const { tree } = fc.letrec((tie) => ({
  tree: fc.oneof(
    { maxDepth: 4 },
    templateText,
    fc.integer(),
    fc.boolean(),
    fc.constant(null),
    fc.array(tie('tree'), { maxLength: 4 }),
    fc.dictionary(fc.string(), tie('tree'), { maxKeys: 4 }),
  ),
}))

/** How the result must look, written without text replacement in JSON. */
function expected(value: unknown, values: TemplateValues): unknown {
  if (typeof value === 'string') return inText(value, values)
  if (Array.isArray(value)) return value.map((item) => expected(item, values))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, item]) => [inText(key, values), expected(item, values)]),
  )
}

function inText(text: string, values: TemplateValues): string {
  let rest = text
  let done = ''
  for (;;) {
    const found = NAMES.flatMap((name) =>
      [`{{${name}}}`, `{{ ${name}}}`, `{{${name} }}`, `{{ ${name} }}`].map((sign) => ({
        name,
        sign,
        at: rest.indexOf(sign),
      })),
    )
      .filter(({ at }) => at >= 0)
      .toSorted((a, b) => a.at - b.at)[0]
    if (found === undefined) return done + rest
    done += rest.slice(0, found.at) + values[found.name]
    rest = rest.slice(found.at + found.sign.length)
  }
}

test('JSON: whatever the template and whatever the alert says, the result is the JSON it was meant to be', () => {
  fc.assert(
    fc.property(tree, fc.constantFrom(undefined, 1, '\t'), wildValues, (wanted, indent, values) => {
      const template = JSON.stringify(wanted, null, indent)
      const filled = fillTemplate(template, 'JSON', values)
      assert.deepEqual(JSON.parse(filled), JSON.parse(JSON.stringify(expected(wanted, values))))
    }),
    { numRuns: 500 },
  )
})

test('JSON: a template that is refused is the only one that could break', () => {
  fc.assert(
    fc.property(fc.oneof(fc.json(), templateText), wildValues, (body, values) => {
      if (templateProblems({ body }).length > 0) return
      if (body !== '') JSON.parse(fillTemplate(body, 'JSON', values))
    }),
    { numRuns: 500 },
  )
})

const someNames = fc.uniqueArray(fc.constantFrom(...NAMES), { minLength: 1 })

test('FORM: every field arrives with the value it was meant to have', () => {
  fc.assert(
    fc.property(someNames, wildValues, (names, values) => {
      const template = names.map((name, index) => `f${index}={{${name}}}`).join('&')
      assert.deepEqual(templateProblems({ body: template, format: 'FORM' }), [])
      const fields = new URLSearchParams(fillTemplate(template, 'FORM', values))
      for (const [index, name] of names.entries())
        assert.equal(fields.get(`f${index}`), values[name].toWellFormed())
      assert.equal([...fields].length, names.length)
    }),
  )
})

// biome-ignore format: a table is read by its columns
const headers: [text: string, problem: string | undefined][] = [
  ['',                                   undefined],
  ['X-Token: abc',                       undefined],
  ['x-a: {{title}}\n\n  X-B:b  \r\n',    undefined],
  ['X-Empty:',                           undefined],
  ['no colon',                           'must be lines such as X-Token: abc'],
  ['X Token: abc',                       'must be lines such as X-Token: abc'],
  [': abc',                              'must be lines such as X-Token: abc'],
  ['X-A: é',                             'must be lines such as X-Token: abc'],
  ['Host: internal',                     'must not set host'],
  ['CONTENT-LENGTH: 1',                  'must not set content-length'],
  ['Transfer-Encoding: chunked',         'must not set transfer-encoding'],
  ['X-A: {{titel}}',                     'has no placeholder {{titel}}'],
  [`X-A: ${'a'.repeat(1025)}`,           'must have values of up to 1024 characters'],
  [Array.from({ length: 21 }, (_, i) => `X-${i}: a`).join('\n'), 'must be at most 20 headers'],
]
for (const [text, problem] of headers)
  test(`headersProblem ${JSON.stringify(text).slice(0, 40)}: ${problem}`, () => {
    assert.equal(headersProblem(text), problem)
  })

test('headers: no value adds a line, a header, or a character that no server takes', () => {
  fc.assert(
    fc.property(wildValues, (values) => {
      const filled = fillHeaders('X-A: {{title}}\nX-B: a {{text}} b', values)
      assert.deepEqual(Object.keys(filled), ['x-a', 'x-b'])
      for (const value of Object.values(filled)) {
        assert.match(value, /^[\x20-\x7e]*$/)
        assert.ok(value.length <= 2048)
      }
    }),
  )
})
