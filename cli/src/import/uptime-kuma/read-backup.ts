// Reads the JSON backup that version 1 could write: monitors and notifications.
import { CommandError } from '../../command.ts'
import { isRow, rowsOf, textOf, toRow } from '../common/values.ts'
import type { KumaData } from './data.ts'

const MAX_ITEMS = 100_000

export function readKumaBackup(path: string, json: unknown): KumaData {
  if (!isRow(json) || !Array.isArray(json['monitorList']))
    throw new CommandError(
      1,
      `${path} is not a backup of Uptime Kuma: it has no list "monitorList".`,
    )
  const monitors = rowsOf(json['monitorList'])
  if (monitors.length > MAX_ITEMS)
    throw new CommandError(1, `${path} has more than ${MAX_ITEMS} monitors.`)
  return {
    monitors,
    notifications: rowsOf(json['notificationList']),
    notificationsOf: new Map(
      monitors.map((row) => [textOf(row, 'id'), idsIn(row['notificationIDList'])]),
    ),
    tags: [],
    tagsOf: new Map(monitors.map((row) => [textOf(row, 'id'), rowsOf(row['tags'])])),
    pages: [],
    maintenances: [],
    incidents: [],
    settings: new Map(),
  }
}

/** `{"1": true, "2": false}` */
function idsIn(list: unknown): string[] {
  return Object.entries(toRow(list)).flatMap(([id, isOn]) => (isOn === true ? [id] : []))
}
