// node test/sim/run.ts --seeds 300 [--from 1] | --seed 42 (prints the trace) | --plant <guard>|all
import { parseArgs } from 'node:util'
import { simulate } from './simulate.ts'
import { PLANTS, type Plant } from './world.ts'

const { values } = parseArgs({
  options: {
    seeds: { type: 'string', default: '300' },
    from: { type: 'string', default: '1' },
    seed: { type: 'string' },
    plant: { type: 'string' },
  },
})

const from = Number(values.from)
const seeds = Number(values.seeds)
if (!(seeds > 0) || !Number.isInteger(from)) throw new Error('--seeds and --from are whole numbers')

if (values.seed !== undefined) printTrace(Number(values.seed), toPlant(values.plant))
else if (values.plant === undefined) runSound()
else runPlanted(values.plant === 'all' ? allPlants() : [values.plant])

function printTrace(seed: number, plant?: Plant): void {
  const { trace, violations } = simulate(seed, plant)
  for (const line of [...trace, ...violations.map((violation) => `VIOLATION ${violation}`)])
    console.log(line)
  process.exitCode = violations.length > 0 ? 1 : 0
}

function runSound(): void {
  const totals: Record<string, number> = {}
  let failed = 0
  for (let seed = from; seed < from + seeds; seed++) {
    const { violations, judged, counts } = simulate(seed)
    for (const [name, count] of Object.entries({ ...judged, ...counts }))
      totals[name] = (totals[name] ?? 0) + count
    if (violations.length > 0) failed += 1
    for (const violation of violations) console.log(`seed ${seed}: ${violation}`)
  }
  console.log(JSON.stringify({ seeds, failed, ...totals }))
  process.exitCode = failed > 0 ? 1 : 0
}

function runPlanted(plants: readonly string[]): void {
  for (const name of plants) {
    const plant = toPlant(name)
    const caught = firstCaught(plant)
    const verdict = caught === undefined ? 'NOT CAUGHT' : `seed ${caught.seed}: ${caught.violation}`
    console.log(`${name.padEnd(18)} ${verdict}`)
    if (caught === undefined) process.exitCode = 1
  }
}

function firstCaught(plant: Plant | undefined) {
  for (let seed = from; seed < from + seeds; seed++) {
    const [violation] = simulate(seed, plant).violations
    if (violation !== undefined) return { seed, violation }
  }
  return undefined
}

function allPlants(): Plant[] {
  // Safe because PLANTS has no other keys.
  return Object.keys(PLANTS) as Plant[]
}

function toPlant(name: string | undefined): Plant | undefined {
  const plant = allPlants().find((known) => known === name)
  if (name !== undefined && plant === undefined)
    throw new Error(`Guards: ${allPlants().join(', ')}, or all`)
  return plant
}
