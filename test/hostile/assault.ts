// One attack: what it needs is made, it runs while the victim is measured, and the bounds are held against the figures.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Tally } from './attacker/grounds.ts'
import { assertMeasured, type Figures, faultsOf } from './figures.ts'
import { ATTACK_SECONDS, endWorld, getWorld, type World } from './world.ts'

export type Assault = {
  attack: string
  /** Not shorter than this. */
  leastSeconds?: number
  /** How often things must have happened at least: an attack that did not take place proves nothing. */
  atLeast: Readonly<Record<string, number>>
  /** What the victim does meanwhile; its assertions count. */
  meanwhile?(world: World, endMs: number): Promise<void>
  /** More that must hold. */
  assertFigures?(figures: Figures, tally: Tally, world: World): void
}

after(endWorld)

export function assault(name: string, options: Assault): void {
  test(name, async (t) => {
    const world = await getWorld()
    const { victim, attacker, grounds, quiet, phases } = world
    const seconds = Math.max(ATTACK_SECONDS, options.leastSeconds ?? 0)
    await attacker.prepare(options.attack, grounds)
    await world.recover()
    const endMs = Date.now() + seconds * 1000
    const attacking = attacker.attack(options.attack, grounds, seconds)
    // Whatever comes of it, the figures are taken first.
    const meanwhile = Promise.allSettled([attacking, options.meanwhile?.(world, endMs)])
    const figures = await victim.measure(options.attack, seconds)
    phases.push(figures)
    const failed = (await meanwhile).flatMap((each) =>
      each.status === 'rejected' ? [each.reason as Error] : [],
    )
    await world.recover()
    const { tally } = await attacking
    t.diagnostic(JSON.stringify(tally))
    assert.deepEqual(faultsOf(figures, quiet), [])
    assert.deepEqual(
      failed.map(({ message }) => message),
      [],
    )
    options.assertFigures?.(figures, tally, world)
    assert.deepEqual(faultsToldTo(tally), [])
    // Nothing was missed; that counts only if there was an attack, and if it was looked at.
    for (const [what, times] of Object.entries(options.atLeast)) {
      const happened = sumOf(tally, what)
      assert.ok(happened >= times, `${what}: ${happened} times, expected ${times}`)
    }
    assertMeasured(figures, seconds)
  })
}

/** What the attacker provokes is refused; it is no fault of ours. */
const faultsToldTo = (tally: Tally): string[] =>
  Object.keys(tally).filter((what) => what.endsWith(' 500'))

/** Of everything whose name begins so. */
export function sumOf(tally: Tally, start: string): number {
  const own = Object.entries(tally).filter(([what]) => what.startsWith(start))
  return own.reduce((sum, [, times]) => sum + times, 0)
}
