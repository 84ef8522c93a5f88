// Looks into what an importer has made.
import assert from 'node:assert/strict'
import type { FileSection, Imported } from '../../src/import/common/collector.ts'
import type { MapOptions } from '../../src/import/common/options.ts'
import type { ReportedItem } from '../../src/import/common/report.ts'

export const OPTIONS: MapOptions = {
  now: new Date('2026-11-16T12:00:00Z'),
  timezone: 'UTC',
  nearest: false,
}

export function resourceIn({ file }: Imported, section: FileSection, key: string) {
  const resource = file.get(section)?.get(key)
  assert.ok(resource, `${section}.${key} of ${[...(file.get(section)?.keys() ?? [])].join(', ')}`)
  // Safe because resources are objects.
  return resource as Record<string, unknown>
}

export function itemIn({ report }: Imported, name: string): ReportedItem {
  const item = report.items.find((each) => each.name === name)
  assert.ok(item, `${name} of ${report.items.map((each) => each.name).join(', ')}`)
  return item
}

/** Names of the fields that had to be changed. */
export function changesOf(imported: Imported, name: string): string[] {
  const item = itemIn(imported, name)
  return item.outcome === 'changed' ? item.changes.map(({ field }) => field) : []
}

export function refusalOf(imported: Imported, name: string): string {
  const item = itemIn(imported, name)
  return item.outcome === 'not taken' ? item.why : ''
}

/** Every kind adds up, and the items are as many as the kinds say. */
export function assertCounts({ report }: Imported): void {
  const counts = Object.values(report.counts)
  for (const { total, mapped, changed, notTaken } of counts)
    assert.equal(mapped + changed + notTaken, total)
  assert.equal(
    counts.reduce((sum, { total }) => sum + total, 0),
    report.items.length,
  )
}
