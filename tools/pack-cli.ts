// Packs the command line and the SDK it needs, for projects that only use npm: npm run pack -- [directory]
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { packCli, packWorkspaceSdk } from './release/packages.ts'

const ROOT = join(import.meta.dirname, '..')
const manifest = JSON.parse(readFileSync(join(ROOT, 'cli/package.json'), 'utf8')) as {
  version: string
}
const packing = { root: ROOT, version: manifest.version, output: resolve(process.argv[2] ?? '.') }
process.stdout.write(`${packWorkspaceSdk(packing)}\n${packCli(packing)}\n`)
