// The promise that a file does not show differences that are none: export of any organization, then plan, is empty.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import {
  type GeneratedOrganization,
  type GeneratedSection,
  generatedOrganization,
} from '../../../test/arbitrary-organization.ts'
import { readConfiguration } from '../file/configuration.ts'
import { parseYaml } from '../file/parse-yaml.ts'
import type { JsonObject, JsonValue } from '../model/json.ts'
import { addressOf, KINDS, type ResourceKind } from '../model/kinds.ts'
import { type LiveResource, toLive } from '../model/live.ts'
import { makePlan } from '../plan/make-plan.ts'
import type { PlanOptions } from '../plan/plan.ts'
import { mergeExport } from './merge-file.ts'
import { type ExportedFile, printExport, toExport } from './to-file.ts'

const ORGANIZATIONS = Number(process.env['AS_CODE_ORGANIZATIONS'] ?? 40)
const NOW = Date.now()
const OPTIONS: PlanOptions = {
  prune: 'keep',
  maxRemovals: undefined,
  adopt: false,
  allowTwins: false,
  recreate: false,
  writeSecrets: false,
}

/** As the API shows it. */
function toApi(generated: GeneratedOrganization): LiveResource[] {
  const id = (kind: ResourceKind, at: number) => `${KINDS[kind].prefix}${at}`
  const times = { createdAt: '2026-11-14T22:39:00.000Z', updatedAt: '2026-11-14T22:39:00.000Z' }
  const live = (kind: ResourceKind, at: number, body: JsonObject) =>
    toLive(kind, { id: id(kind, at), ...times, ...body })
  const escalation = (kind: ResourceKind, at: number) => {
    const found = generated.escalations.find((each) => each.of === kind && each.at === at)
    return (found?.steps ?? []).map(({ afterMinutes, contacts }) => ({
      afterMinutes,
      contactIds: contacts.map((contact) => id('contacts', contact)),
    }))
  }
  const names = generated.monitors.map(({ body }) => String(body['name']))
  return [
    ...generated.contacts.map((body, at) =>
      live('contacts', at, { ...body, settings: masked(body) }),
    ),
    ...generated.tags.map(({ name }, at) =>
      live('tags', at, {
        name: String(name).normalize('NFC').trim(),
        escalation: escalation('tags', at),
      }),
    ),
    ...generated.monitors.map(({ body, paused, tags, contacts }, at) =>
      live('monitors', at, {
        ...body,
        state: paused ? 'PAUSED' : 'UP',
        tags: tags.map((tag) => ({ id: id('tags', tag), name: '' })),
        alertContactIds: contacts.map((contact) => id('contacts', contact)),
        managedBy: null,
        escalation: escalation('monitors', at),
      }),
    ),
    ...generated.statusPages.map(({ body: { password = null, ...body }, sections }, at) =>
      live('statusPages', at, {
        ...body,
        customDomain:
          typeof body['customDomain'] === 'string' ? body['customDomain'].toLowerCase() : null,
        passwordProtected: password !== null,
        sections: sections.map((section, nth) => toApiSection(section, nth, names)),
      }),
    ),
    ...generated.maintenanceWindows.map(({ body, monitors, statusPages }, at) =>
      live('maintenanceWindows', at, {
        ...body,
        recurrence: toApiRecurrence(body['recurrence'] ?? null),
        monitorIds: monitors.map((monitor) => id('monitors', monitor)),
        statusPageIds: statusPages.map((page) => id('statusPages', page)),
      }),
    ),
    ...generated.webhookEndpoints.map((body, at) => live('webhookEndpoints', at, body)),
  ]
}

function masked({ settings }: JsonObject): JsonObject {
  const entries = Object.entries(settings as JsonObject)
  return Object.fromEntries(
    entries.map(([name, value]) => [name, String(value).includes('planted') ? '••••' : value]),
  )
}

function toApiSection(section: GeneratedSection, at: number, names: string[]): JsonObject {
  return {
    id: `sec_${at}`,
    name: section.name,
    collapsed: section.collapsed,
    components: section.components.map(({ name, description, monitor }, nth) => ({
      id: `cmp_${at}_${nth}`,
      name: name ?? names[monitor ?? 0] ?? '',
      description,
      monitorId: monitor === null ? null : `mon_${monitor}`,
      state: 'OPERATIONAL',
    })),
  }
}

function toApiRecurrence(recurrence: JsonValue): JsonValue {
  if (recurrence === null) return null
  const { frequency, daysOfWeek, dayOfMonth, ...rest } = recurrence as JsonObject
  return {
    endsAt: null,
    ...rest,
    frequency: frequency ?? null,
    daysOfWeek: frequency === 'WEEKLY' ? (daysOfWeek ?? ['MONDAY']) : null,
    dayOfMonth: frequency === 'MONTHLY' ? (dayOfMonth ?? 1) : null,
  }
}

function planOf(text: string, { source, entries }: ExportedFile, live: LiveResource[]) {
  const parsed = parseYaml(text)
  assert.deepEqual(parsed.syntax, [])
  const { configuration, problems } = readConfiguration(parsed.value, {})
  assert.ok(configuration, JSON.stringify(problems))
  const bindings = entries.map(({ kind, key, id }) => ({
    address: addressOf(kind, key),
    id,
    generation: 1,
    digest: null,
  }))
  const input = { configuration, live, options: OPTIONS, now: NOW }
  return makePlan({ ...input, bindings: { source, revision: 1, bindings } })
}

const exportOf = (live: LiveResource[]) =>
  toExport({ source: 'shop', live, bindings: [], withSecrets: true, now: NOW })

test(`export, then plan: nothing to do, for ${ORGANIZATIONS} organizations with every field`, () => {
  fc.assert(
    fc.property(generatedOrganization, (generated) => {
      const live = toApi(generated)
      const exported = exportOf(live)
      const { steps, refusals } = planOf(printExport(exported), exported, live)
      assert.deepEqual(refusals, [])
      assert.equal(steps.length, live.length)
      assert.deepEqual(
        steps
          .filter(({ action }) => action !== 'none')
          .map(({ address, changes }) => [address, changes]),
        [],
      )
    }),
    { numRuns: ORGANIZATIONS },
  )
})

test('plan: a change of any exported field of any monitor is seen', () => {
  fc.assert(
    fc.property(generatedOrganization, fc.nat(5), fc.nat(23), (generated, at, nth) => {
      const live = toApi(generated)
      const exported = exportOf(live)
      const text = printExport(exported)
      const monitor = live.filter(({ kind }) => kind === 'monitors')[at]
      assert.ok(monitor)
      const names = Object.keys(monitor.body).filter(
        (name) => !['paused', 'tagIds', 'contactIds', 'escalation'].includes(name),
      )
      const name = names[nth % names.length] ?? 'name'
      const changed = { ...monitor, body: { ...monitor.body, [name]: 'something else' } }
      const others = live.map((each) => (each === monitor ? changed : each))
      const { steps } = planOf(text, exported, others)
      const seen = steps.filter(({ action }) => action === 'update')
      assert.deepEqual(
        seen.map(({ id, changes }) => [id, changes.map(({ path }) => path.split('.')[0])]),
        [[monitor.id, [name]]],
      )
    }),
    { numRuns: ORGANIZATIONS },
  )
})

const OURS = `# ours
version: 1
source: shop

monitors:
    # the important one
    first: { name: First, type: CRON, expectedStatus: [200-206] } # keep

    other: # and this
        name: Other
        type: CRON # end

# windows
maintenanceWindows: {}
# the end
`
const FLOW =
  '{ "version": 1, "source": "shop", "monitors": { "first": { "name": "First", "type": "CRON" } } }'
const NO_NEWLINE = 'version: 1\nsource: shop\nmonitors:\n  first: { name: First, type: CRON }'
const cron = (id: string, name: string) =>
  toLive('monitors', { id, name, type: 'CRON', state: 'UP' })
const tag = toLive('tags', { id: 'tag_1', name: 'T' })

// biome-ignore format: a table
const MERGED: [what: string, text: string, live: LiveResource[], addresses: string[]][] = [
  ['two sections', OURS, [tag, cron('mon_2', 'Second'), cron('mon_3', 'Third: "3"')], ['tags.t', 'monitors.first', 'monitors.other', 'monitors.second', 'monitors.third-3']],
  ['a file that ends without a new line', NO_NEWLINE, [tag, cron('mon_2', 'Second')], ['tags.t', 'monitors.first', 'monitors.second']],
  ['a key at the margin', 'version: 1\nsource: shop\nmonitors:\n # a\n a: { name: A, type: CRON }\n', [cron('mon_2', 'Second')], ['monitors.a', 'monitors.second']],
  ['nothing but a head', 'version: 1\nsource: shop\n', [cron('mon_2', 'Second')], ['monitors.second']],
  ['nothing new', OURS, [cron('mon_2', 'First')], ['monitors.first', 'monitors.other']],
]
for (const [what, text, live, addresses] of MERGED)
  test(`export --merge: every line of the file stays: ${what}`, () => {
    const merged = mergeExport(text, exportOf(live))
    const lines = merged.split('\n')
    const kept = text.split('\n').map((line) => lines.indexOf(line))
    assert.ok(!kept.includes(-1), merged)
    const { configuration, problems } = readConfiguration(parseYaml(merged).value, {})
    assert.deepEqual(
      configuration?.resources.map(({ address }) => address),
      addresses,
      `${merged} ${JSON.stringify(problems)}`,
    )
  })

test('export --merge: a file in one line is printed again, with what is new', () => {
  const merged = mergeExport(FLOW, exportOf([cron('mon_2', 'Second')]))
  const { configuration } = readConfiguration(parseYaml(merged).value, {})
  assert.deepEqual(
    configuration?.resources.map(({ address }) => address),
    ['monitors.first', 'monitors.second'],
  )
})

test('export --merge: into any file that an export wrote, what was left out comes back', () => {
  fc.assert(
    fc.property(generatedOrganization, fc.nat(), (generated, at) => {
      const exported = exportOf(toApi(generated))
      const left = at % exported.entries.length
      const entries = exported.entries.filter((_, nth) => nth !== left)
      const text = printExport({ ...exported, entries })
      const merged = mergeExport(text, exported)
      assert.deepEqual(parseYaml(merged).value, parseYaml(printExport(exported)).value)
    }),
    { numRuns: ORGANIZATIONS },
  )
})

test('export: headers and bodies become variables, unless asked for', () => {
  const raw = {
    id: 'mon_1',
    name: 'Shop',
    type: 'HTTP',
    url: 'https://example.com',
    state: 'UP',
    requestHeaders: { Authorization: 'Bearer planted' },
    requestBody: 'planted',
  }
  const live = [toLive('monitors', raw)]
  const exported = toExport({ source: 's', live, bindings: [], withSecrets: false, now: NOW })
  assert.deepEqual(exported.variables, [
    'UPV_SHOP_REQUESTHEADERS_AUTHORIZATION',
    'UPV_SHOP_REQUESTBODY',
  ])
  assert.ok(!printExport(exported).includes('planted'))
  assert.ok(printExport(exportOf(live)).includes('planted'))
})
