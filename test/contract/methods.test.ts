// Every path of the API description with every method the parser knows.
import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'
import { assertRefused, sendRaw } from '../kit/raw-http.ts'

const fixture = await startProduct()
const { api, keys, service } = fixture
after(() => fixture.stop())

const ORDER = ['GET', 'POST', 'PATCH', 'DELETE']
type Description = { paths: Record<string, Record<string, unknown>> }
const description = (await (await fetch(`${service.baseUrl}/openapi.json`)).json()) as Description
const paths = Object.entries(description.paths).map(([path, operations]) => ({
  path: path.replaceAll(/\{\w+\}/g, 'some_id'),
  allow: ORDER.filter((method) => method.toLowerCase() in operations),
}))

describe('methods', { concurrency: 8 }, () => {
  test('the description has the paths of monitors and incidents, and the methods of each', () => {
    const found = Object.fromEntries(paths.map(({ path, allow }) => [path, allow.join(', ')]))
    assert.equal(found['/api/v1/monitors'], 'GET, POST')
    assert.equal(found['/api/v1/monitors/some_id'], 'GET, PATCH, DELETE')
    assert.equal(found['/api/v1/monitors/some_id/pause'], 'POST')
    assert.equal(found['/api/v1/monitors/some_id/resume'], 'POST')
    assert.equal(found['/api/v1/monitors/some_id/check'], 'POST')
    assert.equal(found['/api/v1/incidents'], 'GET')
    assert.equal(found['/api/v1/incidents/some_id'], 'GET')
    assert.equal(found['/api/v1/incidents/some_id/acknowledge'], 'POST')
  })

  for (const { path, allow } of paths)
    test(`${path} 405: every method but ${allow}, with Allow`, async () => {
      const others = METHODS.filter((name) => !['CONNECT', 'HEAD', ...allow].includes(name))
      assert.ok(others.length > 25 && others.includes('TRACE') && others.includes('OPTIONS'))
      for (const method of others) {
        const answer = await api.request(method, path)
        assert.equal(answer.code, 'method_not_allowed', method)
        assert.equal(answer.headers['allow'], allow.join(', '), method)
      }
      const head = await api.request('HEAD', path)
      assert.equal(head.status === 405, !allow.includes('GET'), 'HEAD goes where GET goes')
      assert.equal(head.headers['allow'], allow.includes('GET') ? undefined : allow.join(', '))
    })

  for (const { path, allow } of paths)
    test(`${path} 405: also for a read-only key and with a body`, async () => {
      const method = allow.includes('PATCH') ? 'POST' : 'PATCH'
      for (const key of [keys.full, keys.readOnly]) {
        const answer = await api.request(method, path, { key, rawBody: '{', chunked: true })
        assert.equal(answer.code, 'method_not_allowed')
      }
    })

  test('HEAD answers like GET, without a body', async () => {
    const { id } = await api.createMonitor()
    const rows = ['/incidents', `/monitors/${id}`, '/monitors/mon_unknown', '/incidents?limit=0']
    for (const path of rows) {
      const [get, head] = [await api.get(path), await api.request('HEAD', path)]
      assert.equal(head.status, get.status)
      assert.equal(head.text, '')
      assert.equal(head.headers['content-length'], get.headers['content-length'], path)
    }
  })

  test('HEAD sends no body on a connection that stays open', async () => {
    const request = (method: string) =>
      `${method} /api/v1/monitors?limit=1 HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.full}\r\n\r\n`
    const methods = ['HEAD', 'GET', 'HEAD']
    const pieces = [methods.map(request).join('')]
    const { answers } = await sendRaw(api, { pieces, methods, answers: 3 })
    assert.deepEqual(
      answers.map((answer) => answer.status),
      [200, 200, 200],
    )
  })

  test('CONNECT 400: refused, path request, and the connection is closed', async () => {
    for (const target of ['example.com:443', '/api/v1/monitors', '127.0.0.1:22']) {
      const head = `CONNECT ${target} HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.full}\r\n\r\n`
      await assertRefused(api, { pieces: [head] })
    }
  })

  for (const method of ['FOO', 'get', 'Post', 'GETT', 'BREW', 'G ET', 'PATCHY', 'X'.repeat(300)])
    test(`${method.slice(0, 20)} 400: a method nobody knows, path request`, async () => {
      const head = `${method} /api/v1/monitors HTTP/1.1\r\nHost: x\r\nX-API-Key: ${keys.full}\r\n\r\n`
      await assertRefused(api, { pieces: [head] })
    })

  test('a method override in a header or the query is ignored', async () => {
    const { id } = await api.createMonitor()
    const headers = { 'X-HTTP-Method-Override': 'DELETE', 'X-Method-Override': 'DELETE' }
    assert.equal((await api.get(`/monitors/${id}?_method=DELETE`, { headers })).status, 200)
    assert.equal((await api.getMonitor(id)).id, id)
  })
})

describe('paths are matched exactly', { concurrency: 8 }, () => {
  // biome-ignore format: many short values read better side by side
  const unknown = [
    '', '/', '/monitor', '/Monitors', '/MONITORS', '/monitors/', '//monitors', '/monitors//',
    '/%6Donitors', '/monitors%2F', '/monitors;v=1', '/monitors/x/', '/monitors/x/pause/',
    '/monitors//pause', '/monitors/x/Pause', '/monitors/x/other', '/monitors/x/pause/more',
    '/incidents/', '/incidents/x/acknowledge/', '/incidents/x/pause', '/./monitors', '/..',
    '/openapi.json', '/users', '/api-keys', '/%', '/%00', '/__proto__', '/constructor',
  ]
  for (const path of unknown)
    test(`GET /api/v1${path} 404: no such endpoint`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'PUT', 'TRACE'])
        assert.equal((await api.request(method, `/api/v1${path}`)).code, 'not_found', method)
      assert.equal((await api.request('HEAD', `/api/v1${path}`)).status, 404)
      assert.equal((await api.get(`/api/v1${path}`, { key: null })).code, 'unauthorized')
    })

  for (const path of [
    '/api',
    '/api/',
    '/api/v1x',
    '/api/v2/monitors',
    '/api/v1%2Fmonitors',
    '/api/V1/monitors',
  ])
    test(`GET ${path} 404: nothing outside version 1 either, in the same envelope`, async () => {
      assert.equal((await api.get(path)).code, 'not_found')
    })

  for (const id of ['%', '%zz', '%E0%A4%A', '%ff', '%c0%ae', 'a%'])
    test(`/monitors/${id} 400: malformed percent-encoding, path monitorId`, async () => {
      const rows: [method: string, suffix: string, body?: unknown][] = [
        ['GET', ''],
        ['PATCH', '', {}],
        ['DELETE', ''],
        ['POST', '/pause', {}],
        ['POST', '/resume', {}],
        ['POST', '/check', {}],
      ]
      for (const [method, suffix, body] of rows) {
        const answer = await api.request(method, `/monitors/${id}${suffix}`, { body })
        assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'monitorId'], method)
      }
      assert.deepEqual((await api.get(`/incidents/${id}`)).paths, ['incidentId'])
      const acknowledge = await api.post(`/incidents/${id}/acknowledge`)
      assert.deepEqual(acknowledge.paths, ['incidentId'])
    })
})
