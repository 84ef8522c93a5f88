import assert from 'node:assert/strict'
import { test } from 'node:test'
import { OPERATIONS } from '../../contract/public/operations.ts'
import { Router } from './router.ts'

const router = new Router(OPERATIONS.map((operation) => ({ operation })))
const found = (method: string, path: string) => {
  const route = router.route(method, `/api/v1${path}`)
  return route.found === 'operation' ? route.target.operation.id : route.found
}

test('every operation is found at its own path and method', () => {
  for (const { id, method, path } of OPERATIONS)
    assert.equal(found(method, path.slice('/api/v1'.length).replaceAll(/\{\w+\}/g, 'x')), id)
})

// biome-ignore format: a table is read by its columns
const rows: [method: string, path: string, found: string][] = [
  ['HEAD',   '/monitors',           'listMonitors'], // handled like GET
  ['GET',    '/monitors/',          'nothing'],
  ['GET',    '/Monitors',           'nothing'],
  ['GET',    '//monitors',          'nothing'],
  ['GET',    '/monitors//pause',    'nothing'],
  ['GET',    '/%6Donitors',         'nothing'],
  ['GET',    '',                    'nothing'],
  ['GET',    '/',                   'nothing'],
  ['PUT',    '/monitors',           'path'],
  ['TRACE',  '/monitors/x',         'path'],
  ['HEAD',   '/monitors/x/pause',   'path'],
]
for (const [method, path, expected] of rows) {
  test(`${method} ${path} -> ${expected}`, () => assert.equal(found(method, path), expected))
}

test('Allow lists the methods in one order, and never HEAD', () => {
  const allow = (path: string) => {
    const route = router.route('PUT', `/api/v1${path}`)
    return route.found === 'path' ? route.allow : ''
  }
  assert.equal(allow('/monitors'), 'GET, POST')
  assert.equal(allow('/monitors/x'), 'GET, PATCH, DELETE')
  assert.equal(allow('/monitors/x/pause'), 'POST')
  assert.equal(allow('/incidents'), 'GET')
})
