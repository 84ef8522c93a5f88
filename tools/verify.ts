// `npm run verify`: runs npm scripts side by side, as many as there are processors, and shows the output of those that fail.
// Each is the command of package.json without npm around it, which would cost a third of a second of CPU time.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { availableParallelism } from 'node:os'
import packageJson from '../package.json' with { type: 'json' }

const scripts: Record<string, string> = packageJson.scripts
// Tests use all processors themselves.
const isTest = (name: string) => name.startsWith('test:')

const names = process.argv.slice(2)
const failed: string[] = []
const startedAt = performance.now()

await runSome(
  names.filter((name) => !isTest(name)),
  availableParallelism(),
)
await runSome(names.filter(isTest), 1)
console.log(`verify: ${seconds(startedAt)} s`)
if (failed.length > 0) console.error(`Failed: ${failed.join(', ')}`)
process.exitCode = failed.length > 0 ? 1 : 0

async function runSome(some: readonly string[], atOnce: number): Promise<void> {
  const waiting = [...some]
  const work = async () => {
    for (let name = waiting.shift(); name !== undefined; name = waiting.shift())
      await runScript(name)
  }
  await Promise.all(Array.from({ length: atOnce }, work))
}

async function runScript(name: string): Promise<void> {
  const command = scripts[name]
  if (command === undefined) throw new Error(`There is no script ${name}.`)
  const begunAt = performance.now()
  const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'pipe', 'pipe'] })
  let output = ''
  const keep = (chunk: Buffer) => {
    output += chunk.toString()
  }
  child.stdout.on('data', keep)
  child.stderr.on('data', keep)
  const [code] = (await once(child, 'close')) as [number | null]
  if (code !== 0) failed.push(name)
  if (code !== 0 || isTest(name)) console.log(output)
  console.log(`${code === 0 ? 'ok    ' : 'FAILED'} ${name} (${seconds(begunAt)} s)`)
}

function seconds(since: number): string {
  return ((performance.now() - since) / 1000).toFixed(1)
}
