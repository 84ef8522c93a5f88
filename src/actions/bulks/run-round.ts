import type { BulkChange } from '../../domain/monitors/bulk.ts'
import { ApiError } from '../../platform/api-error.ts'
import { attachMonitors, detachMonitors } from '../../store/alerts/contact-monitors.ts'
import { lockContact } from '../../store/alerts/contacts.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import * as bulks from '../../store/monitors/bulks.ts'
import { lockMonitors } from '../../store/status-pages/sections.ts'
import { deleteMonitor } from '../monitors/delete.ts'
import { pauseMonitor } from '../monitors/pause.ts'
import { resumeMonitor } from '../monitors/resume.ts'
import { updateMonitor } from '../monitors/update.ts'
import { changeTags } from '../tags/change.ts'

/** Changes the next monitors. Does nothing if none is left. Undefined if there is no such bulk, or it is a day old. */
export async function runBulkRound(
  tx: TenantTx,
  uuid: string,
  refuse: (change: BulkChange) => void,
): Promise<bulks.Bulk | undefined> {
  const bulk = await bulks.lockBulk(tx, uuid)
  if (bulk === undefined) return undefined
  const { next, ...now } = bulk
  refuse(bulk.change)
  if (next.length === 0) return now
  const changed = await change(tx, bulk.change, next)
  return bulks.saveRound(tx, uuid, { changed, refused: next.length - changed })
}

/** Returns how many were changed, or were already as wished. */
async function change(
  tx: TenantTx,
  wish: BulkChange,
  monitorUuids: readonly string[],
): Promise<number> {
  switch (wish.do) {
    case 'CONTACTS':
      return changeContacts(tx, wish, monitorUuids)
    case 'TAGS':
      return (await changeTags(tx, monitorUuids, wish)).length
    case 'PAUSE':
      return changeEach(monitorUuids, (monitor) => pauseMonitor(tx, monitor))
    case 'RESUME':
      return changeEach(monitorUuids, (monitor) => resumeMonitor(tx, monitor))
    case 'DELETE':
      return changeEach(monitorUuids, (monitor) => deleteMonitor(tx, monitor))
    case 'INTERVAL': {
      const { intervalSeconds } = wish
      return changeEach(monitorUuids, (monitor) => updateMonitor(tx, monitor, { intervalSeconds }))
    }
  }
}

/** A monitor that cannot be changed does not stop the others: a refusal is thrown before anything is written. */
async function changeEach(
  monitorUuids: readonly string[],
  act: (monitorUuid: string) => Promise<unknown>,
): Promise<number> {
  let changed = 0
  for (const monitorUuid of monitorUuids)
    try {
      if (await act(monitorUuid)) changed += 1
    } catch (error) {
      if (!(error instanceof ApiError)) throw error
    }
  return changed
}

type ContactChange = Extract<BulkChange, { do: 'CONTACTS' }>

/** A contact that was deleted in the meantime is skipped. */
async function changeContacts(
  tx: TenantTx,
  { attach, detach }: ContactChange,
  monitorUuids: readonly string[],
): Promise<number> {
  const found = [...(await lockMonitors(tx, monitorUuids))]
  for (const contact of attach.toSorted())
    if (await lockContact(tx, contact)) await attachMonitors(tx, contact, found)
  for (const contact of detach) await detachMonitors(tx, contact, found)
  return found.length
}
