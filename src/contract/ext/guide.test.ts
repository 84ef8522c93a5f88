// docs/api-ext.md names every operation of the extension API, and no other.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { EXT_OPERATIONS } from './operations.ts'

const guide = readFileSync(new URL('../../../docs/api-ext.md', import.meta.url), 'utf8')
const table = guide.slice(
  guide.indexOf('## Operations'),
  guide.indexOf('Secrets of alert contacts'),
)

/** Ids have short names in the guide where there is only one. */
const shape = (path: string) => path.replace('/api/ext/v1', '').replaceAll(/\{\w+\}/g, '{}')

/** `GET POST /tags` is two routes; `…/test` continues the first path of its cell without its last id, or with it. */
function routesOf(row: string): string[] {
  let methods: string[] = []
  let base = ''
  return [...row.matchAll(/`([^`]+)`/g)].flatMap(([, code = '']) => {
    const words = code.split(' ')
    const path = words.pop() ?? ''
    if (words.length > 0) methods = words
    if (path.startsWith('/')) base = path
    const whole = path.startsWith('…') ? continued(base, path.slice(1)) : path
    return methods.map((method) => `${method} ${shape(whole)}`)
  })
}

/** Below the last id of the path, or below the path if it has one id that is not last. */
function continued(base: string, rest: string): string {
  return rest.startsWith('/{') || base.endsWith('}')
    ? base + rest
    : base.slice(0, base.lastIndexOf('/')) + rest
}

test('the guide names exactly the routes of the contract', () => {
  const told = table.split('\n').flatMap(routesOf)
  const known = EXT_OPERATIONS.map(({ method, path }) => `${method} ${shape(path)}`)
  assert.deepEqual([...new Set(told)].toSorted(), known.toSorted())
  assert.equal(told.length, known.length)
})
