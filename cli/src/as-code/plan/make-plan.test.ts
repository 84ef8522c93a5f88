import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Configuration, readConfiguration } from '../file/configuration.ts'
import { parseYaml } from '../file/parse-yaml.ts'
import { makeDigest } from '../model/digest.ts'
import type { JsonObject } from '../model/json.ts'
import { type LiveResource, toLive } from '../model/live.ts'
import { toPatchBody } from './bodies.ts'
import { makePlan } from './make-plan.ts'
import { type ConfigPlan, estimateRequests, type PlanOptions, type SourceBinding } from './plan.ts'
import { renderMarkdown, renderText, secondsFor } from './render-text.ts'
import { fingerprintOf, readSavedPlan, toPlanJson } from './saved-plan.ts'

const NOW = Date.parse('2026-11-16T12:00:00Z')
const OPTIONS: PlanOptions = {
  prune: 'keep',
  maxRemovals: undefined,
  adopt: false,
  allowTwins: false,
  recreate: false,
  writeSecrets: false,
}
const CRON = { type: 'CRON', state: 'UP', ...defaults() }

function defaults(): JsonObject {
  const { configuration } = readConfiguration(
    { version: 1, source: 's', monitors: { a: { name: 'A', type: 'CRON' } } },
    {},
  )
  assert.ok(configuration)
  const [step] = plan(configuration, [], []).steps
  return step?.wanted?.body ?? {}
}

function read(text: string, env: Record<string, string> = {}): Configuration {
  const { configuration, problems } = readConfiguration(
    parseYaml(`version: 1\nsource: shop\n${text}`).value,
    env,
  )
  assert.ok(configuration, JSON.stringify(problems))
  return configuration
}

function plan(
  configuration: Configuration,
  live: LiveResource[],
  bindings: SourceBinding[],
  options: Partial<PlanOptions> = {},
): ConfigPlan {
  return makePlan({
    configuration,
    live,
    bindings: { source: configuration.source, revision: 3, bindings },
    options: { ...OPTIONS, ...options },
    now: NOW,
  })
}

const monitor = (id: string, fields: JsonObject = {}) =>
  toLive('monitors', {
    ...CRON,
    id,
    createdAt: '2026-11-01T00:00:00.000Z',
    updatedAt: '2026-11-02T00:00:00.000Z',
    tags: [],
    alertContactIds: [],
    managedBy: null,
    ...fields,
  })
const bound = (
  address: string,
  id: string | null,
  digest: string | null = null,
): SourceBinding => ({
  address,
  id,
  generation: 1,
  digest,
})
const ONE = 'monitors: { a: { name: A, type: CRON } }'
const actions = ({ steps }: ConfigPlan) =>
  steps.map(({ address, action }) => `${address} ${action}`)

test('makePlan: nothing there is a create, something bound and equal is nothing', () => {
  assert.deepEqual(actions(plan(read(ONE), [], [])), ['monitors.a create'])
  const same = plan(read(ONE), [monitor('mon_1', { name: 'A' })], [bound('monitors.a', 'mon_1')])
  assert.deepEqual(actions(same), ['monitors.a none'])
})

test('makePlan: fields that differ, one by one; those left out are their defaults', () => {
  const live = monitor('mon_1', { name: 'B', intervalSeconds: 60 })
  const { steps } = plan(read(ONE), [live], [bound('monitors.a', 'mon_1')])
  assert.deepEqual(steps[0]?.changes, [
    { path: 'name', from: 'B', to: 'A', hidden: false },
    { path: 'intervalSeconds', from: 60, to: 300, hidden: false },
  ])
})

test('makePlan: something that looks the same is not made a second time', () => {
  const twin = monitor('mon_9', { name: 'A' })
  const refused = plan(read(ONE), [twin], [])
  assert.match(refused.steps[0]?.refusal ?? '', /upv adopt monitors\.a mon_9/)
  assert.deepEqual(actions(plan(read(ONE), [twin], [], { allowTwins: true })), [
    'monitors.a create',
  ])
  const adopted = plan(read(ONE), [twin], [], { adopt: true }).steps[0]
  assert.deepEqual([adopted?.action, adopted?.id, adopted?.refusal], ['update', 'mon_9', null])
  const two = plan(read(ONE), [twin, monitor('mon_8', { name: 'A' })], [], { adopt: true })
  assert.match(two.steps[0]?.refusal ?? '', /mon_9, mon_8/)
})

test('makePlan: what another source manages is never touched, and not made a second time', () => {
  const other = { ...monitor('mon_9', { name: 'A' }), source: 'blog', address: 'monitors.web' }
  for (const options of [{}, { adopt: true }, { adopt: true, allowTwins: true }]) {
    const [step] = plan(read(ONE), [other], [], options).steps
    assert.deepEqual([step?.action, step?.id], ['skip', null])
    assert.match(
      step?.refusal ?? '',
      /^mon_9 looks the same and is managed by blog as monitors\.web\..*"upv forget --source blog monitors\.web/,
    )
  }
  const meant = plan(read(ONE), [other], [], { prune: 'delete', allowTwins: true })
  assert.deepEqual(actions(meant), ['monitors.a create'])
})

test('makePlan: a key that changed without "moved" is refused with the line to write', () => {
  const live = monitor('mon_1', { name: 'A' })
  const left = [bound('monitors.old', 'mon_1')]
  for (const options of [{}, { adopt: true }, { prune: 'delete' as const, maxRemovals: 1 }])
    assert.match(
      plan(read(ONE), [live], left, options).steps[0]?.refusal ?? '',
      /^monitors\.old left the file .*"moved: \[\{ from: monitors\.old, to: monitors\.a \}\]"/,
    )
  assert.deepEqual(actions(plan(read(ONE), [live], left, { allowTwins: true })), [
    'monitors.a create',
    'monitors.old keep',
  ])
})

test('makePlan: two entries of one file may look the same', () => {
  const both = read('monitors: { a: { name: A, type: CRON }, b: { name: A, type: CRON } }')
  const live = monitor('mon_1', { name: 'A' })
  assert.deepEqual(actions(plan(both, [live], [bound('monitors.a', 'mon_1')])), [
    'monitors.a none',
    'monitors.b create',
  ])
})

test('makePlan: a second tag of one name is never made, whatever is passed', () => {
  const tag = { ...toLive('tags', { id: 'tag_1', name: 'Prod' }), source: 'blog' }
  const [step] = plan(read('tags: { p: { name: prod } }'), [tag], [], { allowTwins: true }).steps
  assert.match(step?.refusal ?? '', /^tag_1 looks the same .*to manage it here\.$/)
})

// biome-ignore format: a table
const REQUESTS: [what: string, file: string, live: JsonObject[], writes: number][] = [
  ['a new monitor with everything', 'monitors: { a: { name: A, type: CRON, paused: true, contacts: [act_1, act_2], tags: [tag_1] } }', [], 1],
  ['its escalation', 'monitors: { a: { name: A, type: CRON, escalation: [{ afterMinutes: 5, contacts: [act_1] }] } }', [], 2],
  ['contacts to attach and to detach', 'monitors: { a: { name: A, type: CRON, contacts: [act_1] } }', [{ alertContactIds: ['act_2', 'act_3'] }], 3],
  ['a field, a pause and two tags to remove', 'monitors: { a: { name: B, type: CRON, paused: true, tags: [] } }', [{ tags: [{ id: 'tag_1' }, { id: 'tag_2' }] }], 4],
]
for (const [what, file, [fields], writes] of REQUESTS)
  test(`estimateRequests: ${what}`, () => {
    const live = fields === undefined ? [] : [monitor('mon_1', { name: 'A', ...fields })]
    const bindings = live.map(({ id }) => bound('monitors.a', id))
    assert.equal(estimateRequests(plan(read(file), live, bindings)), writes + 2)
  })

test('1,000 new monitors with contacts and tags take about nine minutes at the default rate limit', () => {
  const each = Array.from(
    { length: 1000 },
    (_, at) => `  m${at}: { name: M ${at}, type: CRON, contacts: [act_1], tags: [tag_1] }`,
  )
  const requests = estimateRequests(plan(read(`monitors:\n${each.join('\n')}`), [], []))
  // One for each, the bindings before and after, and a checkpoint after each fifty.
  assert.equal(requests, 1000 + 2 + 20)
  const minutes = secondsFor(requests) / 60
  assert.ok(minutes > 8 && minutes <= 9, String(minutes))
})

test('makePlan: an interrupted create continues, unless it is too long ago', () => {
  const pending = [bound('monitors.a', null)]
  const young = monitor('mon_1', { name: 'A', createdAt: '2026-11-16T11:59:00.000Z' })
  assert.deepEqual(actions(plan(read(ONE), [young], pending)), ['monitors.a create'])
  const old = monitor('mon_1', { name: 'A' })
  assert.match(plan(read(ONE), [old], pending).steps[0]?.refusal ?? '', /looks the same/)
})

test('makePlan: what was deleted outside is created again only if asked for', () => {
  const bindings = [bound('monitors.a', 'mon_1')]
  assert.match(plan(read(ONE), [], bindings).steps[0]?.refusal ?? '', /--recreate/)
  assert.deepEqual(actions(plan(read(ONE), [], bindings, { recreate: true })), [
    'monitors.a create',
  ])
})

const many = (count: number) => Array.from({ length: count }, (_, at) => monitor(`mon_${at}`))
const bindings = (count: number) => many(count).map(({ id }, at) => bound(`monitors.m${at}`, id))

// biome-ignore format: a table
const PRUNE: [what: string, count: number, options: Partial<PlanOptions>, action: string, refused: boolean][] = [
  ['kept by default', 3, {}, 'keep', false],
  ['paused', 1, { prune: 'pause', maxRemovals: 1 }, 'pause', false],
  ['deleted, but not all at once', 3, { prune: 'delete' }, 'delete', true],
  ['deleted when the number is said', 3, { prune: 'delete', maxRemovals: 3 }, 'delete', false],
  ['the number is a bound', 3, { prune: 'delete', maxRemovals: 2 }, 'delete', true],
]
for (const [what, count, options, action, isRefused] of PRUNE)
  test(`makePlan: what left the file is ${what}`, () => {
    const made = plan(read(''), many(count), bindings(count), options)
    assert.deepEqual(new Set(made.steps.map((step) => step.action)), new Set([action]))
    assert.equal(made.refusals.length > 0, isRefused)
  })

test('makePlan: a binding whose resource is gone, and that left the file, is forgotten', () => {
  assert.deepEqual(actions(plan(read(''), [], [bound('monitors.x', 'mon_1')])), [
    'monitors.x forget',
  ])
})

test('makePlan: a renamed key keeps its resource', () => {
  const configuration = read(`${ONE}\nmoved: [{ from: monitors.old, to: monitors.a }]`)
  const made = plan(
    configuration,
    [monitor('mon_1', { name: 'A' })],
    [bound('monitors.old', 'mon_1')],
  )
  assert.deepEqual(actions(made), ['monitors.a update'])
  assert.deepEqual([made.hasMoves, made.steps[0]?.changes], [true, []])
})

test('makePlan: a change outside of the file is drift, a change of the file is not', () => {
  const configuration = read(ONE)
  const applied = plan(configuration, [], []).steps[0]?.wanted?.body ?? {}
  const digest = makeDigest('salt', applied, {})
  const live = monitor('mon_1', { name: 'Edited' })
  const drifted = plan(configuration, [live], [bound('monitors.a', 'mon_1', digest)])
  assert.deepEqual(drifted.steps[0]?.drift, { at: '2026-11-02T00:00:00.000Z', by: null })
  assert.match(renderText(drifted), /drift: changed outside of this file, last on 2026-11-02/)
  const lastChange = { at: '2026-11-03T00:00:00.000Z', by: 'Ana\u0007' }
  const known = { ...bound('monitors.a', 'mon_1', digest), lastChange }
  const named = renderText(plan(configuration, [live], [known]))
  assert.match(named, /drift: changed outside of this file, last on 2026-11-03 by Ana\uFFFD$/m)
  const edited = read('monitors: { a: { name: New, type: CRON } }')
  assert.equal(plan(edited, [live], [bound('monitors.a', 'mon_1', digest)]).steps[0]?.drift, null)
})

test('makePlan: another type warns, another channel is refused', () => {
  const configuration = read('monitors: { a: { name: A, type: PING, host: example.com } }')
  const live = monitor('mon_1', { name: 'A' })
  const { steps } = plan(configuration, [live], [bound('monitors.a', 'mon_1')])
  assert.deepEqual(steps[0]?.notes, ['resets its state and resolves its open incident'])
  const contact = toLive('contacts', { id: 'act_1', name: 'C', channel: 'SLACK', settings: {} })
  const mail = read(
    'contacts: { c: { name: C, channel: EMAIL, settings: { address: a@example.com } } }',
  )
  const refused = plan(mail, [contact], [bound('contacts.c', 'act_1')])
  assert.match(refused.steps[0]?.refusal ?? '', /channel of a contact never changes/)
})

test('makePlan: a one-off window that is over is not created', () => {
  const over = 'startsAt: "2026-11-01T00:00:00Z", endsAt: "2026-11-01T01:00:00Z"'
  const made = plan(
    read(`maintenanceWindows: { w: { name: W, allMonitors: true, ${over} } }`),
    [],
    [],
  )
  assert.deepEqual(actions(made), ['maintenanceWindows.w skip'])
})

const CONTACT = `contacts: { c: { name: C, channel: TELEGRAM, settings: { chatId: "1", botToken: "\${env:BOT}" } } }`
const telegram = toLive('contacts', {
  id: 'act_1',
  name: 'C',
  channel: 'TELEGRAM',
  settings: { chatId: '1', botToken: '••••' },
  enabled: true,
  states: ['DOWN', 'DEGRADED', 'RECOVERED', 'EXPIRING', 'DNS_CHANGED', 'WEBHOOK_FAILING'],
  delayMinutes: 0,
  reminderMinutes: null,
  quietHours: null,
})

test('makePlan: secrets that cannot be read are compared by their digest', () => {
  const body = plan(read(CONTACT, { BOT: 'one' }), [], []).steps[0]?.wanted?.body ?? {}
  const digest = makeDigest('salt', body, { 'settings.botToken': 'one' })
  const planned = (bot: string, known: string | null, options = {}) =>
    plan(read(CONTACT, { BOT: bot }), [telegram], [bound('contacts.c', 'act_1', known)], options)
      .steps[0]
  assert.equal(planned('one', digest)?.action, 'none')
  assert.deepEqual(planned('two', digest)?.changes, [{ path: 'settings.botToken', hidden: true }])
  assert.equal(planned('two', digest)?.drift, null, 'it is the file that changed')
  assert.equal(planned('two', null)?.action, 'none', 'nobody knows')
  assert.match(planned('two', null)?.notes[0] ?? '', /cannot be compared/)
  assert.equal(planned('two', null, { writeSecrets: true })?.action, 'update')
})

test('a plan shows no value from the environment, no header and no body', () => {
  const text = `monitors:
  a:
    name: A
    type: HTTP
    url: "https://x.example/\${env:TOKEN}"
    requestHeaders: { Authorization: "Bearer \${env:TOKEN}", X-Plain: planted-too }
    requestBody: planted-body
${CONTACT}`
  const configuration = read(text, { TOKEN: 'planted-token', BOT: 'planted-bot' })
  const live = monitor('mon_1', {
    type: 'HTTP',
    url: 'https://x.example/planted-old',
    requestHeaders: { Authorization: 'Bearer planted-old', 'X-Plain': 'planted-old' },
    requestBody: 'planted-old',
  })
  const digest = makeDigest('salt', {}, { 'settings.botToken': 'other' })
  const made = plan(
    configuration,
    [live, telegram],
    [bound('monitors.a', 'mon_1'), bound('contacts.c', 'act_1', digest)],
  )
  const outputs = [
    renderText(made),
    renderMarkdown(made),
    JSON.stringify(toPlanJson(made, OPTIONS)),
  ]
  for (const output of outputs) {
    assert.match(output, /requestHeaders\.Authorization/)
    assert.ok(!output.includes('planted'), output)
  }
})

test('a saved plan fits only while nothing moves', () => {
  const configuration = read(ONE)
  const live = monitor('mon_1', { name: 'B' })
  const made = plan(configuration, [live], [bound('monitors.a', 'mon_1')])
  const saved = readSavedPlan(JSON.stringify(toPlanJson(made, { ...OPTIONS, prune: 'pause' })))
  assert.equal(saved?.fingerprint, fingerprintOf(made))
  assert.equal(saved?.options.prune, 'pause')
  const moved = { ...live, updatedAt: '2026-11-03T00:00:00.000Z' }
  const later = plan(configuration, [moved], [bound('monitors.a', 'mon_1')])
  assert.notEqual(fingerprintOf(later), saved?.fingerprint)
  const edited = read('monitors: { a: { name: New, type: CRON } }')
  const other = plan(edited, [live], [bound('monitors.a', 'mon_1')])
  assert.notEqual(fingerprintOf(other), saved?.fingerprint)
  for (const text of ['', '{}', '[]', '{"version":1}']) assert.equal(readSavedPlan(text), undefined)
})

test('toPatchBody: sections keep their ids, also when they change places', () => {
  const page = toLive('statusPages', {
    id: 'sp_1',
    name: 'P',
    passwordProtected: false,
    sections: [
      {
        id: 'sec_1',
        name: 'A',
        collapsed: false,
        components: [
          { id: 'cmp_1', name: 'M', description: null, monitorId: 'mon_1', state: 'UNKNOWN' },
        ],
      },
      {
        id: 'sec_2',
        name: 'B',
        collapsed: false,
        components: [
          { id: 'cmp_2', name: 'By hand', description: null, monitorId: null, state: 'UNKNOWN' },
        ],
      },
    ],
  })
  const configuration = read(`statusPages:
  p:
    name: P
    sections:
      - { name: B, components: [{ monitor: mon_1 }, { name: New }] }
      - { name: A, components: [{ name: By hand, description: Ours }] }
`)
  const [step] = plan(configuration, [page], [bound('statusPages.p', 'sp_1')]).steps
  assert.ok(step?.wanted)
  assert.deepEqual(toPatchBody(step.wanted, page, step.changes)?.['sections'], [
    {
      id: 'sec_2',
      name: 'B',
      collapsed: false,
      components: [
        { id: 'cmp_1', description: null, monitorId: 'mon_1' },
        { name: 'New', description: null, monitorId: null },
      ],
    },
    {
      id: 'sec_1',
      name: 'A',
      collapsed: false,
      components: [{ id: 'cmp_2', name: 'By hand', description: 'Ours', monitorId: null }],
    },
  ])
})
