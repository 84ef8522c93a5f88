import type { Ext } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { findMonitor } from '../api/find.ts'
import { CommandError, defineCommand } from '../command.ts'
import { formatSeconds, formatTime } from '../terminal/format.ts'
import { type Details, type Listing, printDetails, printList } from '../terminal/output.ts'
import { note, print } from '../terminal/text.ts'
import { readChoice, readDuration, readWhole } from './option-values.ts'

const MODES = ['LAST', 'P95'] as const
const DAY_SECONDS = 86_400

export const replay = defineCommand({
  name: 'replay',
  summary: 'show what other settings would have done',
  arguments: [{ name: 'monitor', text: 'its id or name' }],
  options: {
    set: { value: 'FIELD=VALUE', text: 'a setting to try', many: true },
    last: { value: 'DURATION', text: 'how far back, 1d to 30d (30d)' },
  },
  usesApi: true,
  printsJson: true,
  notes: [
    'Fields: degradedThresholdMs (or off), degradedThresholdMode, degradedSamples, expectedStatus, delayMinutes. Nothing is changed.',
    'Without --set it shows what was recorded.',
  ],
  examples: ['upv replay Checkout --set degradedThresholdMs=500 --last 30d'],
  async run(call) {
    const [name = ''] = call.args
    const { set, last = '30d', json } = call.options
    const days = Math.ceil(readDuration('last', last, ['1d', '30d']) / DAY_SECONDS)
    const query = { days, ...readSettings(set) }
    const upvane = await openClient(call)
    const { id } = await findMonitor(upvane, name)
    const found = await upvane.ext.monitors.replay(id, query)
    printDetails(found, detailsOf(found), json)
    if (json) return
    print('')
    printList(found.incidents, INCIDENTS, false)
    if (!found.complete) note('upv: there was too much to replay. Only the latest was replayed.')
  },
})

type Settings = {
  degradedThresholdMs?: number
  degradedThresholdMode?: (typeof MODES)[number]
  degradedSamples?: number
  expectedStatus?: string[]
  delayMinutes?: number
}

/** How each field is read. */
const READERS: Readonly<Record<string, (value: string) => Settings>> = {
  degradedThresholdMs: (value) => ({
    degradedThresholdMs: value === 'off' ? 0 : readWhole('set', value, [1, 60_000]),
  }),
  degradedThresholdMode: (value) => ({ degradedThresholdMode: readChoice('set', value, MODES) }),
  degradedSamples: (value) => ({ degradedSamples: readWhole('set', value, [1, 100]) }),
  expectedStatus: (value) => ({
    expectedStatus: value.split(',').map((code) => String(readWhole('set', code, [100, 599]))),
  }),
  delayMinutes: (value) => ({ delayMinutes: readWhole('set', value, [0, 60]) }),
}

export function readSettings(given: readonly string[]): Settings {
  return given.reduce<Settings>((settings, text) => {
    const [field = '', ...rest] = text.split('=')
    const read = Object.hasOwn(READERS, field) ? READERS[field] : undefined
    if (read === undefined || rest.length === 0)
      throw new CommandError(
        2,
        `--set must be FIELD=VALUE, with ${Object.keys(READERS).join(', ')}.`,
      )
    return { ...settings, ...read(rest.join('=')) }
  }, {})
}

function detailsOf({ from, to, checks, current, replayed }: Ext.MonitorReplay): Details {
  const beside = (name: keyof Ext.ReplayTotals, show: (value: number) => string = String) =>
    `${show(replayed[name])} (now ${show(current[name])})`
  return [
    ['From', formatTime(from)],
    ['To', formatTime(to)],
    ['Checks', String(checks)],
    ['Incidents', beside('incidents')],
    ['Down', beside('downSeconds', formatSeconds)],
    ['Degraded', beside('degradations')],
    ['Alerts', beside('alerts')],
  ]
}

const INCIDENTS: Listing<Ext.ReplayedIncident> = {
  columns: [{ title: 'CHANGE' }, { title: 'STARTED' }, { title: 'RESOLVED' }, { title: 'CAUSE' }],
  toRow: ({ change, startedAt, resolvedAt, causeCode }) => [
    change,
    formatTime(startedAt),
    resolvedAt === null ? '-' : formatTime(resolvedAt),
    causeCode,
  ],
  none: 'No incidents.',
}
