// What the people of an organization do in a simulation, through the product's own actions, as the API does.
import { setTimeout as delay } from 'node:timers/promises'
import { createMaintenanceWindow } from '../../../src/actions/maintenance/create.ts'
import type { GivenSettings } from '../../../src/actions/maintenance/references.ts'
import { createMonitor } from '../../../src/actions/monitors/create.ts'
import { pauseMonitor } from '../../../src/actions/monitors/pause.ts'
import { resumeMonitor } from '../../../src/actions/monitors/resume.ts'
import { updateMonitor } from '../../../src/actions/monitors/update.ts'
import { createWebhookEndpoint } from '../../../src/actions/webhooks/create.ts'
import { createOrganization } from '../../../src/operator/organizations/organizations.ts'
import { parseMasterKeys } from '../../../src/platform/crypto/encryption.ts'
import { OrganizationSecrets } from '../../../src/store/core/organization-secrets.ts'
import { Tenants, type TenantTx } from '../../../src/store/core/tenants.ts'
import { toUuid } from '../../db-kit/public-id.ts'
import type { Call } from '../../oracle/run.ts'
import { sampleSettings } from '../../samples/monitor.ts'
import type { Rng } from '../rng.ts'
import { MASTER_KEY, openDatabase } from './installation.ts'
import type { SimWindow } from './windows.ts'
import { type Job, RECEIVER, spellAt, type Target, type World } from './world.ts'

export type People = {
  orgId: string
  /** Calls that returned. */
  calls: Call[]
  uuidOf: ReadonlyMap<Target, string>
  jobUuidOf: ReadonlyMap<Job, string>
  /** The secret part of a heartbeat's URL. */
  tokenOf: ReadonlyMap<Job, string>
  change(target: Target, to: Change): Promise<void>
}
type Change = 'pause' | 'resume' | 'rename'

/** Creates the organization with its monitors and its webhook endpoint. */
export async function settlePeople(
  world: World,
  permitPrivate: (orgId: string) => void,
): Promise<People> {
  const [engine, app] = [openDatabase('upvane_engine'), openDatabase('upvane_app')]
  const keys = parseMasterKeys(MASTER_KEY)
  if (typeof keys === 'string') throw new Error(keys)
  const secrets = new OrganizationSecrets(keys)
  const created = await createOrganization(engine, secrets, { name: 'Sim', plan: 'UNLIMITED' })
  const orgId = toUuid(created.id)
  permitPrivate(orgId)
  const tenants = new Tenants(app, secrets)
  const calls: Call[] = []
  await tenants.transaction(orgId, (tx) => {
    const url = `http://${RECEIVER.host}:${RECEIVER.port}/hook`
    return createWebhookEndpoint(tx, { url, description: null, eventTypes: ['*'], enabled: true })
  })
  if (world.window !== undefined) {
    const settings = windowSettings(world.window)
    await tenants.transaction(orgId, (tx) => createMaintenanceWindow(tx, settings))
    await delay(world.startMs - Date.now())
  }
  const uuidOf = new Map<Target, string>()
  for (const target of world.targets) {
    const { name, intervalSeconds, timeoutSeconds } = target
    const settings = sampleSettings({ url: `http://${name}/`, intervalSeconds, timeoutSeconds })
    const { uuid } = await tenants.transaction(orgId, (tx) => createMonitor(tx, settings))
    uuidOf.set(target, uuid)
    calls.push({ operation: 'createMonitor', monitorUuid: uuid })
  }
  const jobUuidOf = new Map<Job, string>()
  const tokenOf = new Map<Job, string>()
  for (const job of world.jobs) {
    const { name, periodSeconds, graceSeconds } = job
    const settings = sampleSettings({
      ...({ type: 'CRON', url: null } as const),
      name,
      expectedPeriodSec: periodSeconds,
      graceSeconds,
    })
    const created = await tenants.transaction(orgId, (tx) => createMonitor(tx, settings))
    jobUuidOf.set(job, created.uuid)
    tokenOf.set(job, created.heartbeatToken ?? '')
  }
  return {
    orgId,
    calls,
    uuidOf,
    jobUuidOf,
    tokenOf,
    async change(target, to) {
      const uuid = uuidOf.get(target) ?? ''
      await tenants.transaction(orgId, (tx) => CHANGES[to](tx, uuid))
    },
  }
}

// Nothing is covered: with a monitor, its results would mean something else.
function windowSettings({ fromMs, toMs, zone }: SimWindow): GivenSettings {
  return {
    name: 'Night',
    description: null,
    allMonitors: false,
    monitorIds: [],
    statusPageIds: [],
    showOnStatusPages: false,
    notifySubscribers: false,
    timezone: zone,
    startsAt: new Date(fromMs),
    endsAt: new Date(toMs),
    recurrence: {
      frequency: 'DAILY',
      interval: 1,
      daysOfWeek: null,
      dayOfMonth: null,
      endsAt: null,
    },
  }
}

const CHANGES: Record<Change, (tx: TenantTx, uuid: string) => Promise<unknown>> = {
  pause: pauseMonitor,
  resume: resumeMonitor,
  rename: (tx: TenantTx, uuid: string) =>
    updateMonitor(tx, uuid, { name: `Renamed at ${new Date().toISOString()}` }),
}

const ACT_EVERY_MS = 30_000
const FIRST_ACT_MS = 60_000
// Shorter than a check of a silent target.
const MAX_PAUSE_MS = 8000

/** Pauses, resumes and renames monitors now and then, until the quiet time: more often those that fail. */
export function startActing(people: People, world: World, rng: Rng): void {
  const change = (target: Target, to: Change) => {
    // The database may be away: then nothing has changed.
    void people.change(target, to).catch(() => {})
  }
  const act = () => {
    if (Date.now() > world.quietMs) return
    setTimeout(act, rng.int(1, 2 * ACT_EVERY_MS))
    const failing = world.targets.filter(({ failures }) => spellAt(failures, Date.now()))
    const target = rng.pick(failing.length > 0 && rng.chance(0.6) ? failing : world.targets)
    const to = rng.pick(['pause', 'resume', 'resume', 'rename', 'blink'] as const)
    change(target, to === 'blink' ? 'pause' : to)
    if (to === 'blink') setTimeout(() => change(target, 'resume'), rng.int(1, MAX_PAUSE_MS))
  }
  setTimeout(act, FIRST_ACT_MS)
}
