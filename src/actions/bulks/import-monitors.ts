import { importKey } from '../../domain/monitors/import-csv.ts'
import type { MonitorSettings } from '../../domain/monitors/monitor.ts'
import { ApiError } from '../../platform/api-error.ts'
import type { TenantTx } from '../../store/core/tenants.ts'
import { findImportKeys } from '../../store/monitors/imported.ts'
import { lockUsage } from '../../store/people/organizations.ts'
import { createMonitor } from '../monitors/create.ts'
import { setMonitorTags } from '../tags/set.ts'

type ImportedMonitor = { line: number; settings: MonitorSettings; tags: readonly string[] }
type ImportResult = {
  created: number
  /** Were there before, so that an interrupted import can be repeated. */
  existing: number
  refused: { line: number; message: string }[]
}

/** Creates one round of monitors. A row that is refused does not stop the others. */
export async function importMonitors(
  tx: TenantTx,
  monitors: readonly ImportedMonitor[],
): Promise<ImportResult> {
  await lockUsage(tx)
  const known = await findImportKeys(
    tx,
    monitors.map(({ settings }) => settings.name),
  )
  const result: ImportResult = { created: 0, existing: 0, refused: [] }
  for (const { line, settings, tags } of monitors) {
    const key = importKey(settings)
    if (known.has(key)) {
      result.existing += 1
      continue
    }
    const refuse = (message: string) => result.refused.push({ line, message })
    const monitor = await unlessRefused(() => createMonitor(tx, settings), refuse)
    if (monitor === undefined) continue
    known.add(key)
    result.created += 1
    const { uuid } = monitor
    if (tags.length > 0)
      await unlessRefused(
        () => setMonitorTags(tx, uuid, tags),
        (message) => refuse(`Created without its tags. ${message}`),
      )
  }
  return result
}

/** A refusal is thrown before anything is written. */
async function unlessRefused<T>(
  act: () => Promise<T>,
  refuse: (message: string) => void,
): Promise<T | undefined> {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof ApiError)) throw error
    refuse(error.message)
    return undefined
  }
}
