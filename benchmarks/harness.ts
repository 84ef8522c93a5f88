// Compares two ways of doing the same thing. They alternate in one run (A B B A), so other load on the machine affects
// both, and the best slot of each is compared.
export const MIN_ROUNDS = 12
export const MIN_WARM_UP = 2000
export const DEFAULT_SLACK = 0.15

export type Contender = {
  /** Runs this many operations and returns when all are done; throws if one fails. */
  run(operations: number): Promise<void>
  /** CPU time so far of the processes that do the work, by role. */
  cpuMicros: Record<string, () => number>
}

type Plan = { operations: number; rounds: number; warmUp: number }
/** All in microseconds per operation. */
export type Slot = { wallUs: number; cpuUs: Record<string, number> }
export type Slots = { ours: Slot[]; bare: Slot[] }

export async function takeTurns(
  { ours, bare }: { ours: Contender; bare: Contender },
  plan: Plan,
): Promise<Slots> {
  if (plan.rounds < MIN_ROUNDS) throw new RangeError(`At least ${MIN_ROUNDS} rounds are needed`)
  await ours.run(Math.max(plan.warmUp, MIN_WARM_UP))
  await bare.run(Math.max(plan.warmUp, MIN_WARM_UP))
  const slots: Slots = { ours: [], bare: [] }
  for (let round = 0; round < plan.rounds; round++) {
    slots.ours.push(await measure(ours, plan.operations))
    slots.bare.push(await measure(bare, plan.operations))
    slots.bare.push(await measure(bare, plan.operations))
    slots.ours.push(await measure(ours, plan.operations))
  }
  return slots
}

async function measure(contender: Contender, operations: number): Promise<Slot> {
  const roles = Object.entries(contender.cpuMicros).map(
    ([role, read]) => [role, read, read()] as const,
  )
  const startedAt = performance.now()
  await contender.run(operations)
  const wallUs = ((performance.now() - startedAt) * 1000) / operations
  const cpuUs = roles.map(([role, read, before]) => [role, (read() - before) / operations])
  return { wallUs, cpuUs: Object.fromEntries(cpuUs) }
}

export type Figure = {
  question: string
  measure: string
  oursUs: number
  bareUs: number
  /** Speed relative to bare: the lowest cost of bare divided by the lowest cost of ours. */
  ratio: number
  /** How far the median slot is above the best one, in percent. */
  spreadPercent: { ours: number; bare: number }
  goal?: number
}

/** Wall time, CPU of each role, and total CPU. `goals` maps a measure to its minimum ratio. */
export function toFigures(
  question: string,
  slots: Slots,
  goals: Readonly<Record<string, number>>,
): Figure[] {
  const roles = Object.keys(slots.ours[0]?.cpuUs ?? {})
  const sum = (slot: Slot) => Object.values(slot.cpuUs).reduce((all, us) => all + us, 0)
  const measures: [string, (slot: Slot) => number][] = [
    ['wall', (slot) => slot.wallUs],
    ...roles.map((role): [string, (slot: Slot) => number] => [
      `cpu ${role}`,
      (slot) => slot.cpuUs[role] ?? 0,
    ]),
    ['cpu all', sum],
  ]
  return measures.map(([measureName, read]) => {
    const ours = slots.ours.map(read)
    const bare = slots.bare.map(read)
    const goal = goals[measureName]
    return {
      question,
      measure: measureName,
      oursUs: Math.min(...ours),
      bareUs: Math.min(...bare),
      ratio: Math.min(...bare) / Math.min(...ours),
      spreadPercent: { ours: spread(ours), bare: spread(bare) },
      ...(goal !== undefined && { goal }),
    }
  })
}

/** Figures below their goal by more than the slack. */
export function missed(figures: readonly Figure[], slack: number): Figure[] {
  return figures.filter(({ ratio, goal }) => goal !== undefined && ratio < goal * (1 - slack))
}

export function percentile(values: readonly number[], share: number): number {
  const sorted = values.toSorted((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

function spread(values: readonly number[]): number {
  const least = Math.min(...values)
  return (100 * (percentile(values, 0.5) - least)) / least
}
