import type { Monitor, MonitorState, MonitorType, Upvane } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { findMonitor } from '../api/find.ts'
import { maskMonitor } from '../api/mask.ts'
import {
  type Argument,
  type Command,
  CommandError,
  defineCommand,
  type Values,
} from '../command.ts'
import { formatAgo, formatMs, formatSeconds, formatTime, toStateCell } from '../terminal/format.ts'
import { type Details, type Listing, printDetails, printList } from '../terminal/output.ts'
import { clean, print } from '../terminal/text.ts'
import { readChoices, readDuration } from './option-values.ts'
import { ADDRESS, readAddress, readSettings, readTarget, TARGET_OPTIONS } from './target-options.ts'

const STATES: readonly MonitorState[] = ['PENDING', 'UP', 'DEGRADED', 'DOWN', 'PAUSED']
const TYPES: readonly MonitorType[] = [
  'HTTP',
  'KEYWORD',
  'PING',
  'PORT',
  'CRON',
  'DNS',
  'SSL',
  'DOMAIN',
]
const MONITOR: Argument = { name: 'monitor', text: 'its id, or its name' }
const MONITORS: Argument = { ...MONITOR, many: true }
const SHOW_SECRETS = {
  text: 'show request headers, request body and heartbeat URL instead of ***',
} as const

const list = defineCommand({
  name: 'monitors list',
  summary: 'list monitors',
  options: {
    state: { value: 'STATE', text: 'only these states', many: true, completion: STATES },
    type: { value: 'TYPE', text: 'only these types', many: true, completion: TYPES },
    search: { value: 'TEXT', text: 'only monitors with this text in name, URL or host' },
    'show-secrets': SHOW_SECRETS,
  },
  usesApi: true,
  printsJson: true,
  examples: ['upv monitors list --state DOWN,DEGRADED'],
  async run(call) {
    const { state, type, search, json } = call.options
    const states = readChoices('state', state, STATES)
    const types = readChoices('type', type, TYPES)
    const upvane = await openClient(call)
    const query = {
      ...(states && { state: states }),
      ...(types && { type: types }),
      ...(search && { q: search }),
    }
    const monitors = await upvane.monitors.list(query).all()
    const masked = monitors.map((each) => maskMonitor(each, call.options['show-secrets']))
    printList(masked, listing(new Date()), json)
  },
})

function listing(now: Date): Listing<Monitor> {
  return {
    columns: [
      { title: 'STATE' },
      { title: 'NAME', shrinksTo: 12 },
      { title: 'TYPE' },
      { title: 'TARGET', shrinksTo: 12 },
      { title: 'RESPONSE' },
      { title: 'CHECKED' },
      { title: 'ID' },
    ],
    toRow: (monitor) => [
      toStateCell(monitor.state),
      monitor.name,
      monitor.type,
      targetOf(monitor),
      formatMs(monitor.lastResponseMs),
      formatAgo(monitor.lastCheckedAt, now),
      monitor.id,
    ],
    none: 'No monitors.',
  }
}

const get = defineCommand({
  name: 'monitors get',
  summary: 'show a monitor',
  arguments: [MONITOR],
  options: { 'show-secrets': SHOW_SECRETS },
  usesApi: true,
  printsJson: true,
  async run(call) {
    const [text = ''] = call.args
    const upvane = await openClient(call)
    const found = await findMonitor(upvane, text)
    const monitor = maskMonitor(found, call.options['show-secrets'])
    printDetails(monitor, detailsOf(monitor, new Date()), call.options.json)
  },
})

function detailsOf(monitor: Monitor, now: Date): Details {
  const { requestHeaders, heartbeatUrl, certExpiresAt, degradedThresholdMs } = monitor
  const headers = Object.entries(requestHeaders ?? {}).map(([name, value]) => `${name}: ${value}`)
  return [
    ['Name', monitor.name],
    ['Id', monitor.id],
    ['State', toStateCell(monitor.state)],
    ['Since', monitor.lastStatusChangedAt && formatTime(monitor.lastStatusChangedAt)],
    ['Type', monitor.type],
    ['Target', targetOf(monitor)],
    ['Interval', formatSeconds(monitor.intervalSeconds)],
    ['Timeout', formatSeconds(monitor.timeoutSeconds)],
    ['Headers', headers.length > 0 ? headers.join(', ') : null],
    ['Body', monitor.requestBody],
    ['Heartbeat', heartbeatUrl],
    ['Slow above', degradedThresholdMs === null ? null : formatMs(degradedThresholdMs)],
    ['Last check', formatAgo(monitor.lastCheckedAt, now)],
    ['Response', formatMs(monitor.lastResponseMs)],
    ['Certificate', certExpiresAt && `expires ${formatTime(certExpiresAt)}`],
    ['Created', formatTime(monitor.createdAt)],
  ]
}

function targetOf({ url, host, port }: Pick<Monitor, 'url' | 'host' | 'port'>): string {
  const address = url ?? host
  if (address === null) return '-'
  return url === null && port !== null ? `${address}:${port}` : address
}

const CREATE_OPTIONS = {
  ...TARGET_OPTIONS,
  name: { value: 'NAME', text: 'its name (the address)' },
  interval: { value: 'DURATION', text: 'time from one check to the next, 30s to 1d (5m)' },
} as const

const create = defineCommand({
  name: 'monitors create',
  summary: 'create a monitor',
  arguments: [ADDRESS],
  options: CREATE_OPTIONS,
  usesApi: true,
  printsJson: true,
  notes: [
    'All alert contacts are notified when it goes down. To choose contacts, or for a heartbeat, write a configuration file.',
  ],
  examples: [
    'upv monitors create https://shop.example.com/health --name Shop --interval 1m',
    'upv monitors create tcp://mail.example.com:25',
  ],
  async run(call) {
    const [address = ''] = call.args
    const input = toMonitorInput(address, call.options)
    const upvane = await openClient(call)
    const created = maskMonitor(await upvane.monitors.create(input), false)
    printDetails(created, detailsOf(created, new Date()), call.options.json)
  },
})

export function toMonitorInput(address: string, options: Values<typeof CREATE_OPTIONS>) {
  const { name = address, interval } = options
  return {
    name,
    ...readTarget(address, options),
    ...readInterval(interval),
  }
}

const { type: _type, ...SETTINGS } = TARGET_OPTIONS
const EDIT_OPTIONS = {
  address: { value: 'ADDRESS', text: 'what to check instead, of the same type' },
  ...SETTINGS,
  name: { value: 'NAME', text: 'its new name' },
  interval: CREATE_OPTIONS.interval,
} as const

const edit = defineCommand({
  name: 'monitors edit',
  summary: 'change settings of a monitor',
  arguments: [MONITOR],
  options: EDIT_OPTIONS,
  usesApi: true,
  printsJson: true,
  notes: [
    'What no option names stays as it is. If a configuration file manages it, change the file instead.',
  ],
  examples: ['upv monitors edit Shop --interval 1m --status 200,204'],
  async run(call) {
    const [text = ''] = call.args
    // Before the monitor is known, so that a wrong option is found without a request.
    toMonitorChange('HTTP', { ...call.options, address: undefined })
    const upvane = await openClient(call)
    const { id, type } = await findMonitor(upvane, text)
    const change = toMonitorChange(type, call.options)
    if (Object.keys(change).length === 0) throw new CommandError(2, 'give at least one option.')
    const changed = maskMonitor(await upvane.monitors.update(id, change), false)
    printDetails(changed, detailsOf(changed, new Date()), call.options.json)
  },
})

export function toMonitorChange(type: MonitorType, options: Values<typeof EDIT_OPTIONS>) {
  const { address, name, interval } = options
  return {
    ...(address && readAddress(address, type)),
    ...readSettings(options),
    ...(name && { name }),
    ...readInterval(interval),
  }
}

const readInterval = (interval: string | undefined) =>
  interval === undefined
    ? {}
    : { intervalSeconds: readDuration('interval', interval, ['30s', '1d']) }

type Act = (upvane: Upvane, id: string) => Promise<Monitor>

/** A command that does one thing with each monitor it is given. Names are resolved before anything is done. */
function action(name: string, summary: string, act: Act, notes: readonly string[] = []): Command {
  return defineCommand({
    name: `monitors ${name}`,
    summary,
    arguments: [MONITORS],
    usesApi: true,
    printsJson: true,
    notes,
    async run(call) {
      const upvane = await openClient(call)
      const found: Monitor[] = []
      for (const text of call.args) found.push(await findMonitor(upvane, text))
      const changed: Monitor[] = []
      for (const { id } of found) changed.push(maskMonitor(await act(upvane, id), false))
      printList(changed, listing(new Date()), call.options.json)
      if (name === 'check') assertNoneDown(changed)
    },
  })
}

function assertNoneDown(monitors: readonly Monitor[]): void {
  const down = monitors.filter(({ state }) => state === 'DOWN').map(({ name }) => clean(name))
  if (down.length > 0)
    throw new CommandError(1, `down: ${down.join(', ')}. "upv status" shows why.`)
}

const remove = defineCommand({
  name: 'monitors delete',
  summary: 'delete a monitor with its checks and incidents',
  arguments: [MONITOR],
  options: { yes: { text: 'needed: this cannot be undone' } },
  usesApi: true,
  async run(call) {
    if (!call.options.yes)
      throw new CommandError(2, 'this deletes its checks and incidents too. Add --yes to do it.')
    const [text = ''] = call.args
    const upvane = await openClient(call)
    const { id, name } = await findMonitor(upvane, text)
    await upvane.monitors.delete(id)
    print(`Deleted ${clean(name)} (${id}).`)
  },
})

export const MONITOR_COMMANDS: readonly Command[] = [
  list,
  get,
  create,
  edit,
  action('pause', 'stop checks and alerts of monitors', (upvane, id) => upvane.monitors.pause(id)),
  action('resume', 'check paused monitors again', (upvane, id) => upvane.monitors.resume(id)),
  action(
    'check',
    'check monitors now and wait for the results',
    (upvane, id) => upvane.monitors.check(id),
    ['It ends with 1 if one of them is down. A check can take up to two minutes.'],
  ),
  remove,
]
