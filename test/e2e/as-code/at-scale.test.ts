// Generated organizations in the running product.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { after, test } from 'node:test'
import type {
  MaintenanceWindowInput,
  MonitorInput,
  StatusPageInput,
  Upvane,
  WebhookEndpointInput,
} from '@upvane/sdk'
import fc from 'fast-check'
import {
  type GeneratedOrganization,
  generatedOrganization,
} from '../../../cli/test/arbitrary-organization.ts'
import { startBench } from './bench.ts'

const ORGANIZATIONS = Number(process.env['AS_CODE_ORGANIZATIONS'] ?? 8)
const AT_ONCE = 4

const bench = await startBench()
after(() => bench.stop())

type Made = { id: string }

/** Creates everything by the API, without a file. */
async function create(api: Upvane, generated: GeneratedOrganization): Promise<void> {
  const contacts: string[] = []
  const tags: string[] = []
  const monitors: string[] = []
  const pages: string[] = []
  for (const contact of generated.contacts) {
    const body = { ...contact, allMonitors: false }
    contacts.push((await api.request<Made>('POST', '/api/ext/v1/alert-contacts', { body })).id)
  }
  for (const body of generated.tags)
    tags.push((await api.request<Made>('POST', '/api/ext/v1/tags', { body })).id)
  for (const { body, paused, tags: tagged, contacts: alerted } of generated.monitors) {
    const { id } = await api.monitors.create(body as unknown as MonitorInput)
    monitors.push(id)
    for (const at of tagged) await api.request('PUT', `/api/ext/v1/monitors/${id}/tags/${tags[at]}`)
    for (const [at, contact] of contacts.entries()) {
      const method = alerted.includes(at) ? 'PUT' : 'DELETE'
      await api.request(method, `/api/ext/v1/alert-contacts/${contact}/monitors/${id}`)
    }
    if (paused) await api.monitors.pause(id)
  }
  await escalate(api, generated, { contacts, tags, monitors })
  for (const { body, sections } of generated.statusPages) {
    const written = sections.map((section) => ({
      ...section,
      components: section.components.map(({ monitor, ...component }) => ({
        ...component,
        monitorId: monitor === null ? null : (monitors[monitor] ?? null),
      })),
    }))
    const input = { ...body, sections: written } as unknown as StatusPageInput
    pages.push((await api.statusPages.create(input)).id)
  }
  for (const { body, monitors: covered, statusPages } of generated.maintenanceWindows) {
    const monitorIds = covered.map((at) => monitors[at])
    const statusPageIds = statusPages.map((at) => pages[at])
    await api.maintenanceWindows.create({
      ...body,
      monitorIds,
      statusPageIds,
    } as unknown as MaintenanceWindowInput)
  }
  for (const body of generated.webhookEndpoints)
    await api.webhookEndpoints.create(body as unknown as WebhookEndpointInput)
}

type Ids = Record<'contacts' | 'tags' | 'monitors', readonly string[]>

async function escalate(
  api: Upvane,
  { escalations }: GeneratedOrganization,
  ids: Ids,
): Promise<void> {
  for (const { of, at, steps } of escalations) {
    const written = steps.map(({ afterMinutes, contacts }) => ({
      afterMinutes,
      contactIds: contacts.map((nth) => ids.contacts[nth] ?? ''),
    }))
    await api.ext.escalationPolicies.put(ids[of][at] ?? '', { steps: written })
  }
}

test(`export, then plan: nothing to do, for ${ORGANIZATIONS} generated organizations`, async (t) => {
  const seed = Number(process.env['AS_CODE_SEED'] ?? Date.now() % 2 ** 31)
  const samples = fc.sample(generatedOrganization, { numRuns: ORGANIZATIONS, seed }).entries()
  let resources = 0
  const work = async () => {
    for (const [at, generated] of samples) {
      const context = `seed ${seed}, organization ${at}`
      const count = await exportAndPlan(generated, context, `${at}.yaml`)
      resources += count
    }
  }
  await Promise.all(Array.from({ length: AT_ONCE }, work))
  t.diagnostic(`${ORGANIZATIONS} organizations, ${resources} resources, seed ${seed}`)
  assert.ok(resources > 10 * ORGANIZATIONS)
})

/** Returns how many resources there are. */
async function exportAndPlan(
  generated: GeneratedOrganization,
  context: string,
  name: string,
): Promise<number> {
  const { key } = await bench.product.createOrganization()
  await create(bench.client(key), generated)
  const file = bench.path(name)
  const args = ['export', '--source', 'all', '--with-secrets', '-o', file]
  const exported = await bench.upv(key, args)
  assert.equal(exported.code, 0, `${context}: ${exported.stderr}`)
  const planned = await bench.upv(key, ['plan', '--detailed-exitcode', '-f', file])
  const told = `${context}: ${planned.stdout} ${planned.stderr} ${readFileSync(file, 'utf8')}`
  assert.equal(planned.code, 0, told)
  const [, unchanged] = /0 to create, 0 to change, 0 to remove, (\d+) un/.exec(planned.stdout) ?? []
  assert.ok(unchanged, told)
  return Number(unchanged)
}

test('an export with variables needs them, and says which', async () => {
  const { key } = await bench.product.createOrganization()
  const requestHeaders = { Authorization: 'planted-header' }
  const input = { name: 'Shop', type: 'HTTP', url: 'https://example.com', requestHeaders } as const
  await bench.client(key).monitors.create(input)
  const file = bench.path('variables.yaml')
  const exported = await bench.upv(key, ['export', '--source', 'all', '-o', file])
  assert.match(exported.stderr, /UPV_SHOP_REQUESTHEADERS_AUTHORIZATION/)
  assert.ok(!readFileSync(file, 'utf8').includes('planted'))
  assert.equal((await bench.upv(key, ['plan', '-f', file])).code, 2)
  const env = { UPV_SHOP_REQUESTHEADERS_AUTHORIZATION: 'planted-header' }
  assert.equal((await bench.upv(key, ['plan', '--detailed-exitcode', '-f', file], env)).code, 0)
})
