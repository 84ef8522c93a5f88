import type { MaintenanceWindow, MaintenanceWindowStatus, Upvane } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { findMonitor, findWindow } from '../api/find.ts'
import { endWindow, justPassed, serverClock } from '../api/window-times.ts'
import { type Argument, type Command, CommandError, defineCommand } from '../command.ts'
import { formatTime, toStateCell } from '../terminal/format.ts'
import { type Details, type Listing, printDetails, printList } from '../terminal/output.ts'
import { clean, print } from '../terminal/text.ts'
import { readChoices, readDuration } from './option-values.ts'

const STATUSES: readonly MaintenanceWindowStatus[] = ['SCHEDULED', 'ACTIVE', 'COMPLETED']
const WINDOW: Argument = { name: 'window', text: 'its id, or its name' }

const LISTING: Listing<MaintenanceWindow> = {
  columns: [
    { title: 'STATUS' },
    { title: 'NAME', shrinksTo: 12 },
    { title: 'STARTS' },
    { title: 'ENDS' },
    { title: 'MONITORS' },
    { title: 'ID' },
  ],
  toRow: (window) => {
    const { startsAt, endsAt } = window.currentOccurrence ?? window.nextOccurrence ?? window
    const { status, name, id } = window
    const covered = coverageOf(window)
    return [toStateCell(status), name, formatTime(startsAt), formatTime(endsAt), covered, id]
  },
  none: 'No maintenance windows.',
}

function coverageOf({ allMonitors, monitorIds }: MaintenanceWindow): string {
  return allMonitors ? 'all' : String(monitorIds.length)
}

const list = defineCommand({
  name: 'windows list',
  summary: 'list maintenance windows',
  options: {
    status: { value: 'STATUS', text: 'only these', many: true, completion: STATUSES },
    monitor: { value: 'MONITOR', text: 'only windows that cover this monitor' },
  },
  usesApi: true,
  printsJson: true,
  async run(call) {
    const { status, monitor, json } = call.options
    const statuses = readChoices('status', status, STATUSES)
    const upvane = await openClient(call)
    const query = {
      ...(statuses && { status: statuses }),
      ...(monitor && { monitorId: (await findMonitor(upvane, monitor)).id }),
    }
    printList(await upvane.maintenanceWindows.list(query).all(), LISTING, json)
  },
})

const get = defineCommand({
  name: 'windows get',
  summary: 'show a maintenance window',
  arguments: [WINDOW],
  usesApi: true,
  printsJson: true,
  async run(call) {
    const [text = ''] = call.args
    const upvane = await openClient(call)
    printWindow(await findWindow(upvane, text), call.options.json)
  },
})

function printWindow(window: MaintenanceWindow, json: boolean | undefined): void {
  printDetails(window, detailsOf(window), json)
}

function detailsOf(window: MaintenanceWindow): Details {
  const { recurrence, nextOccurrence } = window
  return [
    ['Name', window.name],
    ['Id', window.id],
    ['Status', toStateCell(window.status)],
    ['Starts', formatTime(window.startsAt)],
    ['Ends', formatTime(window.endsAt)],
    ['Repeats', recurrence && `${recurrence.frequency}, every ${recurrence.interval}`],
    ['Next', nextOccurrence && formatTime(nextOccurrence.startsAt)],
    ['Monitors', coverageOf(window)],
    ['On status pages', window.showOnStatusPages ? 'yes' : 'no'],
    ['Description', window.description],
  ]
}

const start = defineCommand({
  name: 'windows start',
  summary: 'start a maintenance window now',
  options: {
    name: { value: 'TEXT', text: 'its name ("Maintenance")' },
    for: { value: 'DURATION', text: 'how long, from 1m to 30d (1h)' },
    monitor: { value: 'MONITOR', text: 'covers this monitor', many: true },
    all: { text: 'covers every monitor' },
    hidden: { text: 'do not show it on status pages' },
  },
  usesApi: true,
  printsJson: true,
  notes: ['Checks continue. Alerts are muted, and the time does not count as downtime.'],
  examples: ['upv windows start --monitor Checkout --for 30m'],
  async run(call) {
    const { name = 'Maintenance', for: length = '1h', monitor, all, hidden, json } = call.options
    if (all === monitor.length > 0) throw new CommandError(2, 'give --monitor or --all.')
    const seconds = readDuration('for', length, ['1m', '30d'])
    const upvane = await openClient(call)
    const monitorIds = await idsOf(upvane, monitor)
    const clock = await serverClock(upvane)
    const window = await upvane.maintenanceWindows.create({
      name,
      startsAt: justPassed(clock),
      endsAt: new Date(clock().getTime() + seconds * 1000),
      allMonitors: all,
      monitorIds,
      showOnStatusPages: !hidden,
    })
    printWindow(window, json)
  },
})

async function idsOf(upvane: Upvane, texts: readonly string[]): Promise<string[]> {
  const ids: string[] = []
  for (const text of texts) ids.push((await findMonitor(upvane, text)).id)
  return [...new Set(ids)]
}

const end = defineCommand({
  name: 'windows end',
  summary: 'end an active maintenance window now',
  arguments: [WINDOW],
  usesApi: true,
  printsJson: true,
  async run(call) {
    const [text = ''] = call.args
    const upvane = await openClient(call)
    const window = await findWindow(upvane, text)
    if (window.status !== 'ACTIVE')
      throw new CommandError(1, `${clean(window.name)} is ${window.status}, not ACTIVE.`)
    if (window.recurrence !== null)
      throw new CommandError(1, 'a window that repeats cannot be ended early. Delete or edit it.')
    printWindow(await endWindow(upvane, window.id, await serverClock(upvane)), call.options.json)
  },
})

const remove = defineCommand({
  name: 'windows delete',
  summary: 'delete a maintenance window',
  arguments: [WINDOW],
  options: { yes: { text: 'needed: this cannot be undone' } },
  usesApi: true,
  async run(call) {
    if (!call.options.yes) throw new CommandError(2, 'this cannot be undone. Add --yes to do it.')
    const [text = ''] = call.args
    const upvane = await openClient(call)
    const { id, name } = await findWindow(upvane, text)
    await upvane.maintenanceWindows.delete(id)
    print(`Deleted ${clean(name)} (${id}).`)
  },
})

export const WINDOW_COMMANDS: readonly Command[] = [list, get, start, end, remove]
