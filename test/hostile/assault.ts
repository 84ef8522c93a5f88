// One attack: prepares what it needs, runs it while the victim is measured, and checks the figures against the bounds.
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import type { Tally } from './attacker/grounds.ts'
import {
  assertMeasured,
  type Figures,
  failuresOf,
  faultsOf,
  type LatencyBounds,
} from './figures.ts'
import { ownFaultsIn } from './own-faults.ts'
import { ATTACK_SECONDS, endWorld, getWorld, type World } from './world.ts'

/** Where an attack takes place. */
export type Arena = Pick<World, 'victim' | 'quiet' | 'phases' | 'prepare' | 'attack' | 'recover'>

type Assault<W extends Arena> = {
  attack: string
  /** Latency bounds, if other than those for a single attack by one organization. */
  bounds?: LatencyBounds
  /** Duration, if other than that of all attacks. */
  seconds?: number
  /** Minimum duration. */
  leastSeconds?: number
  /** Minimum counts: an attack that did not take place proves nothing. */
  atLeast: Readonly<Record<string, number>>
  /** What the victim does meanwhile; its assertions count. */
  meanwhile?(world: W, endMs: number): Promise<void>
  /** The reason not to run it now. */
  skip?: string | false
  /** Additional assertions. */
  assertFigures?(figures: Figures, tally: Tally, world: W): void
}

const MAX_ATTEMPTS = Number(process.env['HOSTILE_ATTEMPTS'] ?? 3)
// The measuring process does little. If it is held up for this long, or the machine's host gives this much of its
// processors to others, something else is the cause and the attempt does not count; but not more often than this,
// because an attack may be the cause.
const DISTURBED_MS = 50
const DISTURBED_STEAL_PERCENT = 5
const MAX_DISTURBED = 3
// With this much taken away to the end, latencies say nothing: then only failed requests count, and the test is
// reported as skipped.
const UNJUDGED_STEAL_PERCENT = 10

after(endWorld)

export const assault = (name: string, options: Assault<World>): void =>
  assaultIn(getWorld, name, options)

export function assaultIn<W extends Arena>(
  getArena: () => Promise<W>,
  name: string,
  options: Assault<W>,
): void {
  test(name, { skip: options.skip ?? false }, async (t) => {
    const world = await getArena()
    const seconds = options.seconds ?? Math.max(ATTACK_SECONDS, options.leastSeconds ?? 0)
    const { figures, tally, failed, faults, unjudged, overall } = await attackUntilClear(
      t,
      world,
      options,
      seconds,
    )
    t.diagnostic(JSON.stringify(tally))
    assert.deepEqual(faults, [])
    assert.deepEqual(failed, [])
    options.assertFigures?.(figures, tally, world)
    assert.deepEqual(ownFaultsIn(overall), [])
    // All bounds hold, but that only counts if the attack took place and was measured.
    for (const [what, times] of Object.entries(options.atLeast)) {
      const happened = sumOf(overall, what)
      assert.ok(happened >= times, `${what}: ${happened} times, expected ${times}`)
    }
    assertMeasured(figures, seconds)
    // Counted as skipped, which the sum of a run shows.
    if (unjudged.length > 0) t.skip(`latencies: ${unjudged.join(', ')}`)
  })
}

type Outcome = { figures: Figures; tally: Tally; failed: string[]; faults: string[] }
/** `overall` counts all attempts: a repeated attack meets limits that its first attempt has used up. */
type Attempts = Outcome & { overall: Tally; unjudged: string[] }

/** A real fault fails again; a machine that is busy with other work is slow only once. */
async function attackUntilClear<W extends Arena>(
  t: TestContext,
  world: W,
  options: Assault<W>,
  seconds: number,
): Promise<Attempts> {
  let [attempts, disturbed] = [0, 0]
  const overall: Tally = {}
  while (true) {
    const outcome = await attackOnce(world, options, seconds)
    for (const [what, times] of Object.entries(outcome.tally))
      overall[what] = (overall[what] ?? 0) + times
    if (outcome.faults.length === 0) return { ...outcome, overall, unjudged: [] }
    const isDisturbed = disturbed < MAX_DISTURBED && wasDisturbed(outcome.figures)
    if (isDisturbed) disturbed++
    else attempts++
    if (attempts === MAX_ATTEMPTS) return { ...outcome, overall, ...lastFaults(outcome) }
    const kind = isDisturbed ? 'disturbed attempt' : 'attempt'
    t.diagnostic(`${kind}: ${outcome.faults.join(', ')}`)
  }
}

const wasDisturbed = ({ ownLagMs, stealPercent }: Figures): boolean =>
  ownLagMs > DISTURBED_MS || stealPercent > DISTURBED_STEAL_PERCENT

function lastFaults({ figures, faults }: Outcome): Pick<Attempts, 'faults' | 'unjudged'> {
  const { stealPercent } = figures
  if (stealPercent <= UNJUDGED_STEAL_PERCENT) return { faults, unjudged: [] }
  return {
    faults: failuresOf(figures),
    unjudged: [`${Math.round(stealPercent)} % of steal`, ...faults],
  }
}

async function attackOnce<W extends Arena>(
  world: W,
  options: Assault<W>,
  seconds: number,
): Promise<Outcome> {
  const { victim, phases } = world
  await world.prepare(options.attack)
  await world.recover()
  const endMs = Date.now() + seconds * 1000
  const attacking = world.attack(options.attack, seconds)
  // Whatever the outcome, the figures are collected first.
  const meanwhile = Promise.allSettled([attacking, options.meanwhile?.(world, endMs)])
  const figures = await victim.measure(options.attack, seconds)
  phases.push(figures)
  const failed = (await meanwhile).flatMap((each) =>
    each.status === 'rejected' ? [(each.reason as Error).message] : [],
  )
  await world.recover()
  const { tally } = await attacking
  return { figures, tally, failed, faults: faultsOf(figures, world.quiet, options.bounds) }
}

/** Sums everything whose name starts with `start`. */
export function sumOf(tally: Tally, start: string): number {
  const own = Object.entries(tally).filter(([what]) => what.startsWith(start))
  return own.reduce((sum, [, times]) => sum + times, 0)
}
