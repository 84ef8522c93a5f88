import { writeFile } from 'node:fs/promises'
import { setTimeout as delay } from 'node:timers/promises'
import type { Monitor, Upvane } from '@upvane/sdk'
import { explainError, openClient } from '../api/client.ts'
import { findMonitor } from '../api/find.ts'
import { type Clock, serverClock } from '../api/window-times.ts'
import { CommandError, defineCommand, type Values } from '../command.ts'
import { type Judgement, judge } from '../deploy/judge.ts'
import { assertCheckable, measure, readTarget, type Target } from '../deploy/measure.ts'
import { type ProgramEnd, runProgram } from '../deploy/run-program.ts'
import { type Lease, openLease } from '../deploy/window-lease.ts'
import { formatSeconds } from '../terminal/format.ts'
import { clean, note, toSafeJson } from '../terminal/text.ts'
import { readDuration, readRatio, readWhole } from './option-values.ts'

const OPTIONS = {
  monitor: { value: 'MONITOR', text: 'covered by the window and checked after it', many: true },
  region: { value: 'REGION', text: 'check from this region instead of every region', many: true },
  'max-slowdown': { value: 'RATIO', text: 'how much slower p95 may be than the hour before (1.5)' },
  samples: { value: 'COUNT', text: 'checks per monitor for its p95 (5)' },
  wait: { value: 'DURATION', text: 'wait between the program and the checks (0s)' },
  name: { value: 'TEXT', text: 'name of the window ("Release")' },
  hidden: { text: 'do not show the window on status pages' },
  lease: { value: 'DURATION', text: 'how long the window outlives a killed upv (3m)' },
  report: { value: 'FILE', text: 'write the result as JSON', completion: 'file' },
} as const

export const deploy = defineCommand({
  name: 'deploy',
  summary: 'run a release in a maintenance window and check it',
  options: OPTIONS,
  takesProgram: true,
  usesApi: true,
  notes: [
    `It opens a maintenance window for the monitors, runs the program, checks the monitors from every region, compares
the p95 of their response times with the hour before, and ends the window. It prints to standard error only: input
and output belong to the program.`,
    `It ends with 0 if the release is good, and with 1 if you should roll back: the program failed, a monitor is down or
could not be checked, or p95 is more than --max-slowdown times the one before and 50 ms more.`,
    `The window is created with an end, --lease from now, and the end is moved on while the program runs. So it ends by
itself if upv is killed.`,
  ],
  examples: ['upv deploy --monitor Checkout --monitor Cart -- ./release.sh v42'],
  async run(call) {
    const settings = readSettings(call.options)
    const upvane = await openClient(call)
    const stop = new AbortController()
    if (settings.report !== undefined) await assertWritable(settings.report)
    const plan = await prepare(upvane, settings)
    const outcome = await release(upvane, { ...settings, ...plan }, call.program, stop)
    if (settings.report !== undefined) await writeFile(settings.report, `${toSafeJson(outcome)}\n`)
    if (outcome.isGood) return note('upv: the release is good.')
    throw new CommandError(1, `roll back: ${outcome.reason}`)
  },
})

// A good release must not end with an error about its report.
async function assertWritable(path: string): Promise<void> {
  try {
    await writeFile(path, '')
  } catch (error) {
    const { code } = error as NodeJS.ErrnoException
    throw new CommandError(2, `${path} cannot be written (${code}).`)
  }
}

type Settings = {
  monitors: readonly string[]
  regions: readonly string[]
  maxSlowdown: number
  samples: number
  waitSeconds: number
  leaseSeconds: number
  name: string
  hidden: boolean
  report: string | undefined
}

function readSettings(options: Values<typeof OPTIONS>): Settings {
  const { monitor, region, samples = '5', wait = '0s', lease = '3m', name = 'Release' } = options
  if (monitor.length === 0) throw new CommandError(2, 'name at least one --monitor to check.')
  return {
    monitors: monitor,
    regions: region,
    maxSlowdown: readRatio('max-slowdown', options['max-slowdown'] ?? '1.5', [1, 100]),
    samples: readWhole('samples', samples, [1, 50]),
    waitSeconds: readDuration('wait', wait, ['0s', '1h']),
    leaseSeconds: readDuration('lease', lease, ['10s', '1h']),
    name,
    hidden: options.hidden,
    report: options.report,
  }
}

type Prepared = { targets: Target[]; regions: readonly string[]; clock: Clock }

/** Everything that can be refused is refused before the window opens. */
async function prepare(upvane: Upvane, settings: Settings): Promise<Prepared> {
  const monitors = new Map<string, Monitor>()
  for (const text of settings.monitors) {
    const monitor = await findMonitor(upvane, text)
    assertCheckable(monitor)
    monitors.set(monitor.id, monitor)
  }
  const regions = await chooseRegions(upvane, settings.regions)
  const clock = await serverClock(upvane)
  const targets: Target[] = []
  for (const monitor of monitors.values()) targets.push(await readTarget(upvane, monitor, clock()))
  return { targets, regions, clock }
}

/** Every region that checks can run from, unless some were named. */
async function chooseRegions(
  upvane: Upvane,
  wanted: readonly string[],
): Promise<readonly string[]> {
  const { data } = await upvane.ext.organization.regions()
  const live = data.filter((region) => region.live).map(({ name }) => name)
  const unknown = wanted.find((name) => !live.includes(name))
  if (unknown === undefined) return wanted.length > 0 ? wanted : live
  const known = live.map(clean).join(', ')
  throw new CommandError(2, `no check can run from "${unknown}" now. There are: ${known}.`)
}

type Outcome = {
  isGood: boolean
  reason: string
  program: ProgramEnd
  windowId: string
  monitors: readonly Judgement[]
}

async function release(
  upvane: Upvane,
  plan: Settings & Prepared,
  program: readonly string[],
  stop: AbortController,
): Promise<Outcome> {
  const lease = await openWindow(upvane, plan)
  try {
    const startedMs = Date.now()
    const end = await runProgram(program)
    const took = formatSeconds((Date.now() - startedMs) / 1000)
    note(`upv: the program ${describeEnd(end)} after ${took}.`)
    const windowId = lease.windowId()
    if (end.code !== 0) {
      const reason = `the program ${describeEnd(end)}.`
      return { isGood: false, reason, program: end, windowId, monitors: [] }
    }
    const monitors = await checkAll(upvane, plan, stop)
    return { ...summarize(monitors), program: end, windowId, monitors }
  } finally {
    await closeWindow(lease, plan.leaseSeconds)
  }
}

function summarize(monitors: readonly Judgement[]): Pick<Outcome, 'isGood' | 'reason'> {
  const bad = monitors.filter(({ verdict }) => verdict !== 'OK')
  if (bad.length === 0)
    return { isGood: true, reason: 'every monitor is up and as fast as before.' }
  const texts = bad.map(({ name, verdict }) => `${clean(name)} is ${verdict}`)
  return { isGood: false, reason: `${texts.join(', ')}.` }
}

async function openWindow(upvane: Upvane, plan: Settings & Prepared): Promise<Lease> {
  const { clock, name, hidden, targets, leaseSeconds } = plan
  const input = {
    name,
    monitorIds: targets.map(({ monitorId }) => monitorId),
    showOnStatusPages: !hidden,
    seconds: leaseSeconds,
  }
  const report = (text: string): void => note(`upv: ${clean(text)}`)
  const lease = await openLease({ upvane, clock, input, report })
  const names = targets.map((target) => clean(target.name)).join(', ')
  note(`upv: window ${lease.windowId()} is open for ${names}.`)
  return lease
}

async function closeWindow(lease: Lease, leaseSeconds: number): Promise<void> {
  try {
    await lease.close()
    note('upv: the window has ended.')
  } catch (error) {
    const within = formatSeconds(leaseSeconds)
    note(`upv: the window could not be ended: ${explainError(error) ?? String(error)}`)
    note(`upv: it ends by itself within ${within}.`)
  }
}

async function checkAll(
  upvane: Upvane,
  plan: Settings & Prepared,
  stop: AbortController,
): Promise<Judgement[]> {
  const { signal } = stop
  const interrupt = (): void => stop.abort(new CommandError(1, 'interrupted. Nothing was decided.'))
  for (const name of ['SIGINT', 'SIGTERM'] as const) process.once(name, interrupt)
  const judgements: Judgement[] = []
  await delay(plan.waitSeconds * 1000, undefined, { signal }).catch(() => signal.throwIfAborted())
  for (const target of plan.targets) {
    const measurement = await measure(upvane, target, { ...plan, signal })
    const judgement = judge(measurement, plan.maxSlowdown)
    note(`upv: ${clean(judgement.name)} ${judgement.verdict}: ${clean(judgement.reason)}.`)
    judgements.push(judgement)
  }
  return judgements
}

function describeEnd({ code, signal }: ProgramEnd): string {
  return signal === null ? `ended with ${code}` : `was killed by ${signal}`
}
