import { type AlertMessage, planAlerts as plan } from '../../domain/alerts/alerting.ts'
import type { Timing } from '../../domain/alerts/clusters.ts'
import { type Setting, toAlert } from '../../domain/alerts/text.ts'
import {
  findTellings,
  findTroubles,
  lockAlerts,
  type StoredTrouble,
  savePlan,
} from '../../store/alerts/conditions.ts'
import { findListeners, type Listener, settingsOf } from '../../store/alerts/contacts.ts'
import { findOutageDetails } from '../../store/alerts/details.ts'
import type { Database, Tx } from '../../store/core/db.ts'
import type { OrganizationSecrets } from '../../store/core/organization-secrets.ts'
import { findOrganizationName } from '../../store/people/organizations.ts'
import { queueAlert } from './queue-alert.ts'
import { queueOwnerLetters } from './queue-owner-emails.ts'

export type PlanDeps = {
  database: Database
  secrets: OrganizationSecrets
  timing: Timing
  baseUrl: string
}

const SECOND_MS = 1_000

/**
 * Tells an organization's contacts what is to be told now: what is queued and what is remembered as told are one
 * commit, so whoever is killed has either told or not. Returns how many messages were queued; undefined when
 * another process is at it.
 */
export function planAlerts(deps: PlanDeps, orgId: string): Promise<number | undefined> {
  const { database, timing } = deps
  return database.transaction(undefined, async (tx) => {
    if (!(await lockAlerts(tx, orgId))) return undefined
    const listeners = await findListeners(tx, orgId)
    const troubles = await findTroubles(tx, orgId, timing.togetherMs / SECOND_MS)
    const uuids = troubles.map(({ uuid }) => uuid)
    const tellings = await findTellings(tx, orgId, uuids)

    const planned = plan({ troubles, contacts: listeners, tellings }, timing, tx.now)

    const scene = { orgId, listeners, troubles }
    if (planned.messages.length > 0) await queueAll(tx, deps, scene, planned.messages)
    if (planned.ownersUuids.length > 0) await tellOwners(tx, deps, scene, planned.ownersUuids)
    await savePlan(tx, orgId, troubles, planned)
    return planned.messages.length
  })
}

type Scene = {
  orgId: string
  listeners: readonly Listener[]
  troubles: readonly StoredTrouble[]
}

async function queueAll(
  tx: Tx,
  { secrets, baseUrl }: PlanDeps,
  { orgId, listeners, troubles }: Scene,
  messages: readonly AlertMessage[],
): Promise<void> {
  const cipher = await secrets.cipherOf(tx, orgId)
  const organization = await findOrganizationName(tx, orgId)
  const byUuid = new Map(troubles.map((trouble) => [trouble.uuid, trouble]))
  const find = (uuids: readonly string[]) => uuids.flatMap((uuid) => byUuid.get(uuid) ?? [])
  const details = await findOutageDetails(tx, orgId, incidentsOf(messages, find))
  for (const { contactUuid, kind, thread, troubleUuids, openUuids } of messages) {
    const listener = listeners.find(({ uuid }) => uuid === contactUuid)
    if (listener === undefined) throw new Error(`Contact ${contactUuid} is not there`)
    const told = find(troubleUuids)
    const timezone = listener.rules.quiet?.zone ?? 'UTC'
    const setting: Setting = { organization, baseUrl, timezone, at: tx.now }
    await queueAlert(
      tx,
      { orgId, cipher },
      {
        contact: { ...listener, settings: settingsOf(cipher, listener) },
        alert: toAlert({ kind, thread, told, open: find(openUuids), details }, setting),
        thread,
        incidentUuids: told.flatMap(({ incidentUuid }) => incidentUuid ?? []),
        baseUrl,
        // A recovery or a reminder is not part of the check that found the outage.
        traceparent: told.find((one) => one.kind === kind)?.traceparent ?? null,
      },
    )
  }
}

/** One letter for each: what they are about has little to do with each other. */
async function tellOwners(
  tx: Tx,
  { secrets, baseUrl }: PlanDeps,
  { orgId, troubles }: Scene,
  uuids: readonly string[],
): Promise<void> {
  const organization = await findOrganizationName(tx, orgId)
  const setting: Setting = { organization, baseUrl, timezone: 'UTC', at: tx.now }
  const alerts = troubles
    .filter(({ uuid }) => uuids.includes(uuid))
    .map((trouble) => {
      const { uuid: thread, kind } = trouble
      return toAlert({ kind, thread, told: [trouble], open: [] }, setting)
    })
  await queueOwnerLetters(tx, { orgId, cipher: await secrets.cipherOf(tx, orgId) }, alerts)
}

/** Of messages about one monitor: those about many have no room for more. */
function incidentsOf(
  messages: readonly AlertMessage[],
  find: (uuids: readonly string[]) => StoredTrouble[],
): string[] {
  const told = messages.map(({ troubleUuids }) => find(troubleUuids))
  const alone = told.filter((own) => new Set(own.map(({ monitorUuid }) => monitorUuid)).size === 1)
  return [...new Set(alone.flat().flatMap(({ incidentUuid }) => incidentUuid ?? []))]
}
