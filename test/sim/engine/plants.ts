// Bugs for the product's own files. Each is made in a copy, and a simulation must find it: `npm run long sim-plants`.
type Change = { from: string; to: string }

export type Plant = {
  bug: string
  file: string
  /** Each `from` is in the file exactly once. */
  changes: readonly Change[]
  /** The violation that finds it. */
  rule: RegExp
  /** How long a simulation must be. */
  minutes: number
  /** The role that it does not need. */
  without: string
}

const SHORT_MINUTES = 8
// Deliveries that failed need their time.
const LONG_MINUTES = 16

const plant = (
  bug: string,
  [file, from, to]: [file: string, from: string, to: string],
  rule: RegExp,
  ...more: Change[]
): Plant => {
  const minutes = /^\^(RETRY|EVENT)/.test(rule.source) ? LONG_MINUTES : SHORT_MINUTES
  const without = /^\^(EVENT|RETRY|TWICE)/.test(rule.source) ? '' : 'dispatcher'
  return { bug, file: `src/${file}.ts`, changes: [{ from, to }, ...more], rule, minutes, without }
}

// Its key alone would prevent it.
const NO_KEY = { from: 'from taken\n  )\n', to: 'from taken on conflict do nothing\n  )\n' }

const LEASES = 'engine/scheduling/lease-holder'

// biome-ignore format: a table is read by its columns
export const PLANTS: readonly Plant[] = [
  plant('a shard that moves is not released', [LEASES, '      await leases.releaseShards(database, lease.schedulerId, free)\n', ''], /^I1 .*never recorded/),
  plant('the shards of a dead scheduler stay its own', [LEASES, '    await leases.dropExpired(database, lease.schedulerId)\n', ''], /^I1 .*never recorded/),
  plant('slots in which nothing ran are not written down', ['engine/scheduling/planner', "missed && { missed: { ...missed, reason: 'ENGINE_DOWN' as const } }", '{}'], /^I1 .*0 results, 0 ranges/),
  plant('a resolved incident stays open', ['actions/results/publish-transitions', '  await batch.resolveIncidents(tx, recovered)\n', ''], /^I6 /),
  plant('a change publishes no event', ['actions/results/publish-transitions', 'return publishAll(tx, await eventsOf(tx, secrets, transitions))', 'return publishAll(tx, (await eventsOf(tx, secrets, transitions)).slice(1))'], /^I4 /),
  plant('a new state begins no span', ['actions/results/record', 'inRounds(batch.spans, (span) => span.monitorNo)', 'inRounds(batch.spans.slice(1), (span) => span.monitorNo)'], /^I3 /),
  plant('a delivery is tried again at once', ['domain/events/retry-schedule', 'Math.round(Math.max(jitteredSeconds, minSeconds, asked) * 1000)', 'Math.round(Math.min(jitteredSeconds, minSeconds, asked))'], /^RETRY /),
  plant('the dispatcher claims what is claimed', ['store/deliveries/queue', 'and d.id <> all ($6::uuid[])', 'and $6::uuid[] is not null'], /^TWICE /, NO_KEY),
  plant('a region decides that never reached the target (fixed in 3ec9c289)', ['engine/probing/run-check', ': provenRegions(proofs, now)', ': liveRegions(type)'], /^REGION /),
  plant('an event is published without its change', ['actions/results/record', 'batch.applyAll(writes)\n\n    await writeMonitors(tx, batch, lease)\n', 'batch.applyAll(writes)\n'], /^I[34] /),
  plant('a result from before a pause counts', ['domain/monitors/monitor-state', "  if (epoch !== from.epoch) return 'SUPERSEDED'\n", ''], /^I[347] /),
  plant('a window recurs every 24 hours, whatever the clocks of its zone say', ['domain/maintenance/maintenance', 'instantOf(day.toPlainDateTime(time), schedule.timezone)', 'new Date(schedule.startsAt.getTime() + anchor.until(day).days * 86_400_000)'], /^WINDOW /),
]

/** No simulation has found these yet. They are tried only by name. */
// biome-ignore format: a table is read by its columns
export const CANDIDATES: readonly Plant[] = [
  plant('what a probe reports is not validated (fixed in 9f6d080b)', ['engine/probing/job-sender', 'readFinding(result.attempt, isNewer)', '(isNewer(), result.attempt ?? undefined) as ReturnType<typeof readFinding>'], /^I2 /),
  plant('slots due before a pause are not written off (fixed in 7f91f30c)', ['actions/monitors/pause', '  await writeOffDue(tx, monitor)\n', ''], /^I1 .*never recorded/),
  plant('writes are not fenced', ['store/core/leases', 'if (rows.length === 0) throw new LeaseLost', 'if (rows.length < 0) throw new LeaseLost'], /^FENCE /),
  plant("the machine's clock says when slots are due", [LEASES, 'clock.set(nowMs, askedMs)', 'clock.set(Date.now(), askedMs)'], /^(?:I\d|LATE)/),
  plant('a delivery stays claimed when its sender dies', ['store/deliveries/queue', 'a.claimed_until < now()\n', "a.claimed_until < now() - interval '1 day'\n"], /^EVENT .*never received/),
  plant('a pause publishes only itself', ['actions/monitors/pause', ', ...resolved])', '])'], /^I4 /),
  plant('a deadline is judged before its receipt', ['domain/monitors/heartbeat', '  if (receipt.until < dueAt) return { clock }\n', ''], /^PING .*but sent/),
]
