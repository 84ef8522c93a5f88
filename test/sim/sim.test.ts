import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import { simulate } from './simulate.ts'
import { PLANTS, type Plant } from './world.ts'

const SEEDS = Number(env['SEEDS'] ?? 200)
const PLANTED_SEEDS = 120

test(`${SEEDS} worlds: every slot once, one incident per outage, nothing driven by what is stale`, () => {
  const totals = new Map<string, number>()
  const failed: string[] = []
  for (let seed = 1; seed <= SEEDS; seed++) {
    const { violations, counts } = simulate(seed)
    failed.push(...violations.map((violation) => `seed ${seed}: ${violation}`))
    for (const [what, count] of Object.entries(counts))
      totals.set(what, (totals.get(what) ?? 0) + count)
  }
  assert.deepEqual(failed, [])
  const unseen = [...totals].filter(([, count]) => count < SEEDS / 10).map(([what]) => what)
  assert.deepEqual(unseen, [], 'what never happened was never tested')
})

test('a seed is a world: played again it is the same, line by line', () => {
  for (const seed of [1, 42]) {
    const [first, second] = [simulate(seed), simulate(seed)]
    assert.ok(first.trace.length > 500)
    assert.equal(first.trace.join('\n'), second.trace.join('\n'))
  }
})

for (const [name, bug] of Object.entries(PLANTS)) {
  test(`caught: ${bug}`, () => {
    // Safe because PLANTS has no other keys.
    const plant = name as Plant
    for (let seed = 1; seed <= PLANTED_SEEDS; seed++)
      if (simulate(seed, plant).violations.length > 0) return
    assert.fail(`${name} was not caught in ${PLANTED_SEEDS} worlds`)
  })
}
