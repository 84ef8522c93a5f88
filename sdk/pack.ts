// Packs the SDK as JavaScript with types, for projects that only use npm: node sdk/pack.ts [directory]
import { execFileSync } from 'node:child_process'
import { copyFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'

const SDK = import.meta.dirname
const TSC = join(SDK, '../node_modules/.bin/tsc')

if (import.meta.main) process.stdout.write(`${packSdk(resolve(process.argv[2] ?? '.'))}\n`)

/** Returns the path of the archive. */
function packSdk(directory: string): string {
  const stage = mkdtempSync(join(tmpdir(), 'upvane-sdk-'))
  try {
    run(TSC, ['--project', join(SDK, 'tsconfig.pack.json'), '--outDir', join(stage, 'dist')], SDK)
    copyFileSync(join(SDK, '../LICENSE'), join(stage, 'LICENSE'))
    copyFileSync(join(SDK, 'README.md'), join(stage, 'README.md'))
    writeFileSync(join(stage, 'package.json'), manifest())
    const options = ['--silent', '--no-update-notifier', '--pack-destination', directory]
    const name = run('npm', ['pack', ...options], stage)
    return join(directory, name.trim())
  } finally {
    rmSync(stage, { recursive: true })
  }
}

// Node does not run TypeScript inside node_modules, so the package contains compiled output.
function manifest(): string {
  const own = JSON.parse(readFileSync(join(SDK, 'package.json'), 'utf8')) as Manifest
  return JSON.stringify(toPackedManifest(own), null, 2)
}

type Manifest = Record<string, unknown>

/** The manifest in the sources names TypeScript, the one in the package what it is compiled to. */
export function toPackedManifest(own: Manifest): Manifest {
  const entries = Object.entries(own['exports'] as Record<string, string>).map(([name, file]) => {
    const compiled = file.replace('./src/', './dist/').slice(0, -'.ts'.length)
    return [name, { types: `${compiled}.d.ts`, default: `${compiled}.js` }]
  })
  return { ...own, exports: Object.fromEntries(entries), sideEffects: false }
}

function run(command: string, args: string[], cwd: string): string {
  return execFileSync(command, args, { cwd, encoding: 'utf8' })
}
