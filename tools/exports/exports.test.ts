import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findCircles } from './circles.ts'
import { readModule } from './modules.ts'
import { findTwins } from './twins.ts'
import { findUnused } from './unused.ts'

function read(files: Record<string, string>) {
  return new Map(Object.entries(files).map(([file, text]) => [file, readModule(file, text)]))
}

test('exports and imports are read in every shape the formatter leaves them in', () => {
  const { exports, imports } = readModule(
    'src/a/b.ts',
    `import one, { two, type Three as Other } from '../c.ts'
import type {
  Four,
} from './d.ts'
import * as all from './e.ts'
import pg from 'pg'
export { five } from './f.ts'
export * from './g.ts'
export type Six = 6
export async function seven() {
  const { eight: local } = await import('./h.ts')
  return import('./i.ts')
}
export const nine = 9
`,
  )
  assert.deepEqual(Object.fromEntries(exports), {
    Six: true,
    seven: false,
    nine: false,
    five: false,
  })
  assert.deepEqual(imports, [
    { from: 'src/c.ts', names: ['two', 'Three', 'default'] },
    { from: 'src/a/d.ts', names: ['Four'] },
    { from: 'src/a/e.ts', names: ['*'] },
    { from: 'src/a/f.ts', names: ['five'] },
    { from: 'src/a/g.ts', names: ['*'] },
    { from: 'src/a/h.ts', names: ['eight'] },
    { from: 'src/a/i.ts', names: ['*'] },
  ])
})

test('what nobody imports is found; a whole import uses everything', () => {
  const modules = read({
    'src/a.ts': `export const used = 1\nexport const unused = 2\n`,
    'src/b.ts': `export const whole = 1\n`,
    'src/c.ts': `import { used } from './a.ts'\nimport * as b from './b.ts'\n`,
  })
  assert.deepEqual([...findUnused(modules).keys()], ['src/a.ts unused'])
})

test('two exported types of one name are found, two functions are not', () => {
  const modules = read({
    'src/a.ts': `export type Twin = 1\nexport function twice() {}\n`,
    'web/src/b.ts': `export interface Twin {}\nexport function twice() {}\n`,
    'sdk/src/c.ts': `export type Twin = 3\n`,
  })
  assert.deepEqual(
    [...findTwins(modules).values()],
    ['type "Twin" is exported by src/a.ts and web/src/b.ts'],
  )
})

test('a circle is found through imports of types, however long it is', () => {
  const modules = read({
    'src/a.ts': `import type { B } from './b.ts'\n`,
    'src/b.ts': `import { c } from './c.ts'\n`,
    'src/c.ts': `import type { A } from './a.ts'\nimport { d } from './d.ts'\n`,
    'src/d.ts': `export const d = 1\n`,
  })
  assert.deepEqual([...findCircles(modules).keys()], ['src/a.ts src/b.ts src/c.ts'])
})
