// npm run sim -- --seeds 100 [--seed 1] [--json]: simulates the product itself, one seed after another.
import { parseArgs } from 'node:util'
import { SMALL, TWO_OF_EACH } from './installations.ts'
import { shrink } from './shrink.ts'
import { simulate } from './simulate.ts'

const { values } = parseArgs({
  allowNegative: true,
  options: {
    seeds: { type: 'string', default: '1' },
    seed: { type: 'string', default: '1' },
    json: { type: 'boolean', default: false },
    trace: { type: 'boolean', default: false },
    check: { type: 'boolean', default: false },
    calm: { type: 'boolean', default: false },
    monitors: { type: 'string', default: '12' },
    minutes: { type: 'string', default: '30' },
    shrink: { type: 'boolean', default: true },
    without: { type: 'string', default: '' },
    seconds: { type: 'string', default: 'Infinity' },
  },
})

const first = Number(values.seed)
const seeds = Number(values.seeds)
if (!(seeds > 0) || !Number.isInteger(first))
  throw new Error('--seeds and --seed are whole numbers')

const all = values.calm ? SMALL : TWO_OF_EACH
const totals: Record<string, number> = {}
const startMs = performance.now()
const maxSeconds = Number(values.seconds)
const elapsedSeconds = () => Math.round((performance.now() - startMs) / 100) / 10
let violated = 0
let played = 0
for (let seed = first; seed < first + seeds && elapsedSeconds() < maxSeconds; seed++) {
  const minutes = Number(values.minutes)
  const size = {
    monitors: Number(values.monitors),
    minutes,
    quietMinutes: Math.min(8, minutes / 2),
    hasFaults: !values.calm,
  }
  const options = {
    seed,
    size: { ...size, ...(values.calm && { intervalSeconds: 300 }) },
    isChecked: values.check,
    processes: all.filter(({ roles }) => !roles.some((role) => role === values.without)),
  }
  const onTrace = (line: string) => void process.stdout.write(`${line.trim()}\n`)
  const report = await simulate({ ...options, ...(values.trace && { onTrace }) })
  const { violations, counts, trace } = report
  for (const [name, count] of Object.entries(counts)) totals[name] = (totals[name] ?? 0) + count
  violated += violations.length
  played += 1
  for (const text of violations) console.error(`seed ${seed}: ${text}`)
  if (violations.length > 0 && values.shrink) {
    const shrunk = await shrink(options, report)
    console.error(`shrunk to seed ${seed} with [${shrunk.needed.join(', ')}]:`)
    for (const text of shrunk.violations) console.error(`  ${text}`)
  }
  if (!values.json) console.log(`seed ${seed}: ${JSON.stringify(counts)} trace ${trace}`)
}
const seconds = elapsedSeconds()
const cpu = process.cpuUsage()
console.log(
  JSON.stringify({
    seeds: played,
    ...totals,
    violations: violated,
    seconds,
    cpuSeconds: (cpu.user + cpu.system) / 1e6,
  }),
)
process.exitCode = violated > 0 ? 1 : 0
