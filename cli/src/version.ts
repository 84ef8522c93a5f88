import { readFileSync } from 'node:fs'

// One folder above this file, in the sources and in the package.
const MANIFEST = new URL('../package.json', import.meta.url)

export function readVersion(): string {
  return (JSON.parse(readFileSync(MANIFEST, 'utf8')) as { version: string }).version
}
