// How the dashboard's files are served.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Shared } from '../shared.ts'

export function testServed(shared: Shared): void {
  const at = (path: string) => `${shared.fixture.service.baseUrl}${path}`

  test('served: hashed files for good, the page asked for each time, no script of others, compressed', async () => {
    const index = await fetch(at('/monitors/anything'))
    assert.equal(index.status, 200)
    assert.equal(index.headers.get('cache-control'), 'no-cache')
    const policy = index.headers.get('content-security-policy') ?? ''
    assert.match(policy, /default-src 'none'; script-src 'self'; style-src 'self'/)
    assert.doesNotMatch(policy, /unsafe/)
    const [asset = ''] = /\/assets\/[\w-]+\.js/.exec(await index.text()) ?? []
    const script = await fetch(at(asset), { headers: { 'Accept-Encoding': 'gzip' } })
    assert.match(script.headers.get('cache-control') ?? '', /immutable/)
    assert.equal(script.headers.get('content-encoding'), 'gzip')
    const etag = index.headers.get('etag') ?? ''
    const again = await fetch(at('/'), { headers: { 'If-None-Match': etag } })
    assert.equal(again.status, 304)
  })

  test('served: what is not the dashboard stays what it was', async () => {
    for (const [path, status] of [
      ['/api/v1/monitors', 401],
      ['/app/api/me', 401],
      ['/assets/none.js', 404],
      ['/nothing-here', 404],
      ['/docs', 200],
    ] as const)
      assert.equal((await fetch(at(path))).status, status, path)
  })
}
