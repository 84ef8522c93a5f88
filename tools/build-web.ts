// Builds the dashboard when it is missing or older than its sources.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, statSync } from 'node:fs'
import { join } from 'node:path'

const ROOT = join(import.meta.dirname, '..')
const BUILT = join(ROOT, 'web/dist/index.html')
// The contract gives types alone; of the domain a few rules are built in.
const SOURCES = [
  'web/{src,public}/**/*',
  'web/*.{html,ts,json}',
  'src/domain/*.ts',
  'package-lock.json',
]

export async function buildWeb(): Promise<void> {
  if (isBuilt()) return
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn'], {
    cwd: ROOT,
    // Its words are for people, while the answer of `try --json` is for programs.
    stdio: ['ignore', 2, 2],
  })
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The dashboard could not be built (exit ${code}).`)
}

function isBuilt(): boolean {
  if (!existsSync(BUILT)) return false
  const builtMs = statSync(BUILT).mtimeMs
  const files = globSync(SOURCES, { cwd: ROOT })
  return files.every((file) => statSync(join(ROOT, file)).mtimeMs <= builtMs)
}
