// Builds the dashboard if it is missing or older than its sources. As a command (`npm run web`) it always builds.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, globSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { explainSkippedPackages, findSkippedPackages } from './skipped-packages.ts'

const ROOT = join(import.meta.dirname, '..')
const BUILT = join(ROOT, 'web/dist/index.html')
// The contract provides types only, but a few domain rules are bundled.
const SOURCES = [
  'web/{src,public}/**/*',
  'web/*.{html,ts,json}',
  'src/domain/**/*.ts',
  'package-lock.json',
]

export async function buildWeb(): Promise<void> {
  if (!isBuilt()) await build()
}

/** Builds it in another language, into an empty folder. */
export const buildLanguage = (language: string, folder: string): Promise<void> =>
  build(['--outDir', folder], { ...process.env, UPVANE_LANGUAGE: language })

async function build(options: readonly string[] = [], env = process.env): Promise<void> {
  const lock = readFileSync(join(ROOT, 'package-lock.json'), 'utf8')
  const skipped = findSkippedPackages(lock, (path) => existsSync(join(ROOT, path)))
  if (skipped.length > 0) {
    console.error(explainSkippedPackages(skipped, process.env['npm_config_user_agent']))
    process.exit(1)
  }
  const vite = join(ROOT, 'node_modules/vite/bin/vite.js')
  const child = spawn(process.execPath, [vite, 'build', 'web', '--logLevel', 'warn', ...options], {
    cwd: ROOT,
    env,
    // Build output is for people and goes to stderr, because stdout of `try --json` is for programs.
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

if (import.meta.main) await build()
