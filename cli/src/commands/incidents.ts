import type { Incident, IncidentDetail, IncidentStatus } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { findMonitor } from '../api/find.ts'
import { type Argument, type Command, defineCommand } from '../command.ts'
import { formatAgo, formatSeconds, formatTime, toStateCell } from '../terminal/format.ts'
import { type Details, type Listing, printDetails, printList } from '../terminal/output.ts'
import { clean, note, print } from '../terminal/text.ts'
import { readChoices, readDuration, readWhole } from './option-values.ts'

const STATUSES: readonly IncidentStatus[] = ['ONGOING', 'RESOLVED']
const INCIDENT: Argument = { name: 'incident', text: 'its id' }

const list = defineCommand({
  name: 'incidents list',
  summary: 'list incidents, newest first',
  options: {
    status: { value: 'STATUS', text: 'only these', many: true, completion: STATUSES },
    monitor: { value: 'MONITOR', text: 'only of this monitor' },
    unacknowledged: { text: 'only those that nobody acknowledged' },
    since: { value: 'DURATION', text: 'only those that started in this time, such as 24h' },
    limit: { value: 'COUNT', text: 'at most this many (100)' },
  },
  usesApi: true,
  printsJson: true,
  examples: ['upv incidents list --status ONGOING --unacknowledged'],
  async run(call) {
    const { status, monitor, unacknowledged, since, limit = '100', json } = call.options
    const statuses = readChoices('status', status, STATUSES)
    const seconds = since === undefined ? undefined : readDuration('since', since, ['1m', '400d'])
    const most = readWhole('limit', limit, [1, 10_000])
    const upvane = await openClient(call)
    const found = upvane.incidents.list({
      ...(seconds !== undefined && { startedAfter: new Date(Date.now() - seconds * 1000) }),
      ...(statuses && { status: statuses }),
      ...(monitor && { monitorId: (await findMonitor(upvane, monitor)).id }),
      ...(unacknowledged && { acknowledged: false }),
    })
    const incidents = await takeFirst(found, most + 1)
    printList(incidents.slice(0, most), listing(new Date()), json)
    if (incidents.length > most) note(`upv: there are more than ${most}. --limit shows more.`)
  },
})

async function takeFirst<Item>(list: AsyncIterable<Item>, count: number): Promise<Item[]> {
  const items: Item[] = []
  for await (const item of list) {
    items.push(item)
    if (items.length === count) break
  }
  return items
}

function listing(now: Date): Listing<Incident> {
  return {
    columns: [
      { title: 'STATUS' },
      { title: 'MONITOR', shrinksTo: 12 },
      { title: 'CAUSE', shrinksTo: 16 },
      { title: 'STARTED' },
      { title: 'LASTED' },
      { title: 'ACK' },
      { title: 'ID' },
    ],
    toRow: (incident) => [
      toStateCell(statusOf(incident)),
      incident.monitor.name,
      incident.cause ?? '-',
      formatAgo(incident.startedAt, now),
      incident.durationSec === null ? '-' : formatSeconds(incident.durationSec),
      incident.acknowledged ? 'yes' : 'no',
      incident.id,
    ],
    none: 'No incidents.',
  }
}

function statusOf({ resolvedAt }: Incident): IncidentStatus {
  return resolvedAt === null ? 'ONGOING' : 'RESOLVED'
}

const get = defineCommand({
  name: 'incidents get',
  summary: 'show an incident with its evidence and timeline',
  arguments: [INCIDENT],
  usesApi: true,
  printsJson: true,
  async run(call) {
    const [id = ''] = call.args
    const upvane = await openClient(call)
    printIncident(await upvane.incidents.get(id), call.options.json)
  },
})

const acknowledge = defineCommand({
  name: 'incidents acknowledge',
  summary: 'acknowledge an incident, so that reminders stop',
  arguments: [INCIDENT],
  options: { note: { value: 'TEXT', text: 'a note for the others' } },
  usesApi: true,
  printsJson: true,
  async run(call) {
    const [id = ''] = call.args
    const { note: text, json } = call.options
    const upvane = await openClient(call)
    printIncident(await upvane.incidents.acknowledge(id, text ? { note: text } : {}), json)
  },
})

function printIncident(incident: IncidentDetail, json: boolean | undefined): void {
  printDetails(incident, detailsOf(incident), json)
  if (json) return
  print('')
  for (const { at, message } of incident.timeline) print(`${formatTime(at)}  ${clean(message)}`)
}

function detailsOf(incident: IncidentDetail): Details {
  const { lastFailure, acknowledgedBy, acknowledgeNote, durationSec } = incident
  return [
    ['Monitor', `${incident.monitor.name} (${incident.monitor.id})`],
    ['Id', incident.id],
    ['Status', toStateCell(statusOf(incident))],
    ['Cause', incident.cause],
    ['Started', formatTime(incident.startedAt)],
    ['Resolved', incident.resolvedAt && formatTime(incident.resolvedAt)],
    ['Lasted', durationSec === null ? null : formatSeconds(durationSec)],
    ['Acknowledged', acknowledgedBy && acknowledgedBy.name],
    ['Note', acknowledgeNote],
    ['Last failure', `${formatTime(lastFailure.checkedAt)} from ${lastFailure.location}`],
    ['HTTP status', lastFailure.httpStatus === null ? null : String(lastFailure.httpStatus)],
    ['Address', lastFailure.resolvedIp],
    ['Response', lastFailure.bodyExcerpt],
  ]
}

export const INCIDENT_COMMANDS: readonly Command[] = [list, get, acknowledge]
