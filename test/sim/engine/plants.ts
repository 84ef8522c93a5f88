// Bugs for the product's own files. Each is made in a copy, and a simulation must find it: `npm run long sim-plants`.
export type Plant = {
  bug: string
  file: string
  /** Stands in the file exactly once. */
  from: string
  to: string
  /** The violation that finds it. */
  rule: RegExp
  /** How long a simulation must be. */
  minutes: number
}

const SHORT_MINUTES = 8
// Deliveries that failed need their time.
const LONG_MINUTES = 16

const plant = (
  bug: string,
  [file, from, to]: [file: string, from: string, to: string],
  rule: RegExp,
): Plant => {
  const minutes = rule.source.startsWith('^I') ? SHORT_MINUTES : LONG_MINUTES
  return { bug, file: `src/${file}.ts`, from, to, rule, minutes }
}

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
]
