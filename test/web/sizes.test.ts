// Download sizes: script before the first screen, and what each further screen adds.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { before, test } from 'node:test'
import { buildWeb } from '../../tools/build-web.ts'

const DIST = join(import.meta.dirname, '../../web/dist')
const MAX_FIRST_LOAD = 140 * 1024
const MAX_SCREEN = 60 * 1024

type Chunk = { file: string; imports?: string[]; dynamicImports?: string[] }
let chunks: Record<string, Chunk>

before(async () => {
  await buildWeb()
  chunks = JSON.parse(readFileSync(join(DIST, 'manifest.json'), 'utf8'))
})

/** A chunk with everything it imports statically. */
function closure(key: string, found = new Set<string>()): Set<string> {
  // A screen without its own chunk is part of the first one.
  if (found.has(key) || chunks[key] === undefined) return found
  found.add(key)
  for (const other of chunks[key].imports ?? []) closure(other, found)
  return found
}

function gzipBytes(keys: Iterable<string>): number {
  return [...keys].reduce((sum, key) => {
    const file = join(DIST, chunks[key]?.file ?? '')
    // Files below half a kilobyte are not compressed.
    const compressed = statSync(`${file}.gz`, { throwIfNoEntry: false })
    return sum + (compressed ?? statSync(file)).size
  }, 0)
}

const FIRST = ['index.html', 'src/shell/shell.tsx']

test('the first screen takes at most 140 KB of script, compressed', () => {
  const first = [...FIRST, 'src/screens/monitors/monitors.tsx'].flatMap((key) => [...closure(key)])
  const bytes = gzipBytes(new Set(first))
  console.log(`first load: ${(bytes / 1024).toFixed(1)} KB`)
  assert.ok(bytes > 20_000, `only ${bytes} bytes: the build was not looked at`)
  assert.ok(bytes <= MAX_FIRST_LOAD, `${bytes} bytes`)
})

test('each screen adds at most 60 KB of script, compressed, and so does what is fetched later', () => {
  const first = new Set(FIRST.flatMap((key) => [...closure(key)]))
  const screens = Object.keys(chunks).filter((key) => /^src\/(screens|shell|ui)\//.test(key))
  assert.ok(screens.length >= 8, `only ${screens.length} screens seen`)
  for (const screen of screens) {
    const bytes = gzipBytes([...closure(screen)].filter((key) => !first.has(key)))
    assert.ok(bytes <= MAX_SCREEN, `${screen}: ${bytes} bytes`)
  }
})
