import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { expandStatus, readConfiguration } from './configuration.ts'
import { parseYaml, printProblems } from './parse-yaml.ts'
import { escapePlaceholders, fillPlaceholders } from './placeholders.ts'

const HEAD = 'version: 1\nsource: shop\n'

function problemsOf(text: string, env: Record<string, string> = {}): string[] {
  const parsed = parseYaml(text)
  const read = parsed.syntax.length > 0 ? undefined : readConfiguration(parsed.value, env)
  return printProblems('f.yaml', parsed, read?.problems ?? [])
}

// biome-ignore format: a table
const WRONG: [what: string, text: string, line: RegExp][] = [
  ['not YAML', `${HEAD}monitors: [`, /^f\.yaml:\d+:\d+: /],
  ['nothing', '', /^f\.yaml:1:1: the file must be a mapping/],
  ['a key twice', `${HEAD}tags:\n  a: { name: A }\n  a: { name: B }\n`, /^f\.yaml:5:3: .*unique/],
  ['an unknown field, with its place', `${HEAD}monitors:\n  a:\n    name: A\n    type: CRON\n    flavor: red\n`, /^f\.yaml:7:13: monitors\.a\.flavor is not known/],
  ['an unset variable', `${HEAD}monitors:\n  a: { name: "\${env:NOPE}", type: CRON }\n`, /monitors\.a\.name needs the environment variable NOPE/],
  ['a slug that the service does not take', `${HEAD}statusPages:\n  p: { name: P, slug: status, monitors: [] }\n`, /statusPages\.p\.slug is reserved/],
  ['an unknown monitor', `${HEAD}statusPages:\n  p: { name: P, monitors: [nope] }\n`, /statusPages\.p\.monitors\.0 refers to "nope"/],
  ['an id of another kind', `${HEAD}statusPages:\n  p: { name: P, monitors: [act_1] }\n`, /refers to "act_1"/],
  ['an unknown contact', `${HEAD}monitors:\n  a: { name: A, type: CRON, contacts: [x] }\n`, /neither in contacts of this file nor an id/],
  ['an unknown contact of a step', `${HEAD}tags:\n  a: { name: A, escalation: [{ afterMinutes: 5, contacts: [x] }] }\n`, /tags\.a\.escalation\.0\.contacts\.0 refers to "x"/],
  ['a step that is not later', `${HEAD}tags:\n  a: { name: A, escalation: [{ afterMinutes: 5, contacts: [act_1] }, { afterMinutes: 5, contacts: [act_2] }] }\n`, /escalation\.1\.afterMinutes must be later/],
  ['a contact in two steps', `${HEAD}tags:\n  a: { name: A, escalation: [{ afterMinutes: 5, contacts: [act_1] }, { afterMinutes: 9, contacts: [act_1] }] }\n`, /escalation\.1\.contacts has a contact of an earlier step/],
  ['a step without contacts', `${HEAD}tags:\n  a: { name: A, escalation: [{ afterMinutes: 5, contacts: [] }] }\n`, /escalation\.0\.contacts/],
  ['two forms of sections', `${HEAD}statusPages:\n  p: { name: P, monitors: [], sections: [] }\n`, /give one of them/],
  ['a component without a name', `${HEAD}statusPages:\n  p: { name: P, sections: [{ components: [{}] }] }\n`, /needs a name or a monitor/],
  ['a range that runs backward', `${HEAD}monitors:\n  a: { name: A, type: CRON, expectedStatus: [206-200] }\n`, /ends before it starts/],
  ['too many codes', `${HEAD}monitors:\n  a: { name: A, type: CRON, expectedStatus: [200-399] }\n`, /more than 100 codes/],
  ['a window without monitors', `${HEAD}maintenanceWindows:\n  w: { name: W, startsAt: "2026-12-06T02:00:00Z", endsAt: "2026-12-06T03:00:00Z" }\n`, /needs monitors, or allMonitors/],
  ['a window that ends first', `${HEAD}maintenanceWindows:\n  w: { name: W, allMonitors: true, startsAt: "2026-12-06T02:00:00Z", endsAt: "2026-12-06T01:00:00Z" }\n`, /endsAt must be after startsAt/],
  ['a move to nowhere', `${HEAD}moved: [{ from: monitors.a, to: monitors.b }]\n`, /moved\.0\.to is not in the file/],
  ['a move to another kind', `${HEAD}tags: { b: { name: B } }\nmoved: [{ from: monitors.b, to: tags.b }]\n`, /must be of the same kind/],
  ['a move of what is there', `${HEAD}tags: { a: { name: A }, b: { name: B } }\nmoved: [{ from: tags.a, to: tags.b }]\n`, /is still in the file/],
]

for (const [what, text, line] of WRONG)
  test(`readConfiguration: ${what}`, () => {
    const problems = problemsOf(text)
    assert.match(problems[0] ?? 'none', line, problems.join('\n'))
  })

test('readConfiguration: defaults, references by id and placeholders', () => {
  const { value } = parseYaml(`${HEAD}defaults: { monitor: { intervalSeconds: 60 } }
monitors:
  a: { name: A, type: HTTP, url: "https://x.example/\${env:TOKEN}", contacts: [act_1] }
`)
  const { configuration } = readConfiguration(value, { TOKEN: 'planted' })
  const [monitor] = configuration?.resources ?? []
  assert.equal(monitor?.fields['intervalSeconds'], 60)
  assert.equal(monitor?.fields['url'], 'https://x.example/planted')
  assert.deepEqual([...(monitor?.hidden ?? [])], ['url'])
  assert.deepEqual([...(configuration?.secrets ?? [])], ['planted'])
})

test('readConfiguration: variables that are not set are accepted if asked for, whatever they stand for', () => {
  const { value } = parseYaml(`${HEAD}defaults: { monitor: { url: "\${env:BASE}" } }
contacts:
  c: { name: C, channel: SLACK, settings: { url: "\${env:HOOK}" } }
monitors:
  a: { name: A, type: HTTP, contacts: ["\${env:CONTACT}"], intervalSeconds: "\${env:EVERY}" }
`)
  const read = readConfiguration(value, {}, 'ALLOW')
  assert.deepEqual(read.problems, [])
  assert.deepEqual(read.unset, ['BASE', 'CONTACT', 'EVERY', 'HOOK'])
  assert.equal(readConfiguration(value, {}).problems.length, 4)
})

test('readConfiguration: what is wrong beside a variable that is not set is still wrong', () => {
  const { value } = parseYaml(`${HEAD}monitors:\n  a: { name: "\${env:N}", type: CRON, port: 0 }\n`)
  const { problems } = readConfiguration(value, {}, 'ALLOW')
  assert.deepEqual(
    problems.map(({ path }) => path.join('.')),
    ['monitors.a.port'],
  )
})

test('readConfiguration: every problem at once, also references beside a wrong field', () => {
  const lines = problemsOf(
    `${HEAD}monitors:\n  a: { name: A, tpye: CRON }\n  b: { name: B, type: CRON, contacts: [x] }\n` +
      'tags:\n  one: { name: Prod }\n  two: { name: " PROD " }\n',
  ).join('\n')
  assert.match(lines, /monitors\.a: type is required/)
  assert.match(lines, /monitors\.a\.tpye is not known\. Did you mean type\?/)
  assert.match(lines, /monitors\.b\.contacts\.0 refers to "x"/)
  assert.match(lines, /tags\.two\.name is the name of tags\.one too/)
})

test('readConfiguration: no problem repeats the value of a variable', () => {
  const text = `${HEAD}monitors:\n  a: { name: A, type: CRON, contacts: ["\${env:TOKEN}"] }\n`
  const lines = problemsOf(text, { TOKEN: 'planted' })
  assert.match(lines.join(), /refers to the value of a variable/)
  for (const line of lines) assert.ok(!line.includes('planted'), line)
})

test('parseYaml: aliases cannot fill the memory', () => {
  const levels = Array.from({ length: 12 }, (_, at) =>
    at === 0 ? 'l0: &l0 [a]' : `l${at}: &l${at} [${`*l${at - 1}, `.repeat(9)}*l${at - 1}]`,
  )
  assert.match(parseYaml(levels.join('\n')).syntax[0]?.message ?? '', /alias/i)
})

// biome-ignore format: a table
const STATUS: [given: (number | string)[], codes: number[]][] = [
  [[], []],
  [[200], [200]],
  [['200-202', 301], [200, 201, 202, 301]],
  [['204-204'], [204]],
  [['206-200'], []],
]
for (const [given, codes] of STATUS)
  test(`expandStatus: ${JSON.stringify(given)}`, () => assert.deepEqual(expandStatus(given), codes))

test('fillPlaceholders: gives back what was escaped, whatever it is', () => {
  const part = fc.constantFrom(
    '$',
    '${env:A}',
    '$${env:B_1}',
    '${env:1}',
    '{',
    '}',
    'env:',
    'x',
    '${env:}',
  )
  fc.assert(
    fc.property(
      fc.array(part).map((parts) => parts.join('')),
      (text) => {
        const { value, missing } = fillPlaceholders(escapePlaceholders(text), {})
        assert.deepEqual([value, missing], [text, []])
      },
    ),
  )
})

test('fillPlaceholders: names every unset variable, and takes an empty one as unset', () => {
  const { missing } = fillPlaceholders(
    { a: '${env:ONE} ${env:TWO}', b: ['${env:THREE}'] },
    { TWO: '' },
  )
  assert.deepEqual(
    missing.map(({ name, path }) => [name, path.join('.')]),
    [
      ['ONE', 'a'],
      ['TWO', 'a'],
      ['THREE', 'b.0'],
    ],
  )
})
