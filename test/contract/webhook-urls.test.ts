// Which URLs webhook endpoints may have, judged by their text alone.
import assert from 'node:assert/strict'
import { after, describe, test } from 'node:test'
import { startProduct } from '../kit/fixture.ts'

const fixture = await startProduct()
const { api } = fixture
after(() => fixture.stop())
// The fixture allows loopback addresses. Of these two processes, one has the defaults and one only requires https.
const closed = await fixture.startApi({ WEBHOOK_ALLOW_CIDRS: '', WEBHOOK_ALLOW_HTTP: 'false' })
const httpsOnly = await fixture.startApi({ WEBHOOK_ALLOW_HTTP: 'false' })

const HOOK = 'https://hooks.example.com/upvane'
const PATH = '/webhook-endpoints'
const create = (body: unknown) => api.post(PATH, body)

describe('webhook url', { concurrency: 8 }, () => {
  const long = (length: number) => `${HOOK}?${'x'.repeat(length - HOOK.length - 1)}`
  // biome-ignore format: many short values read better side by side
  const taken = [
    HOOK, 'https://example.com', 'HTTPS://Example.com/', 'https://example.com:443/', 'https://a.b:8443/x',
    'https://example.com:2525/', 'https://8.8.8.8/', 'https://[2606:4700::1111]/', 'https://bücher.example/',
    'https://example.com/?mail=a@b.example', 'https://example.com/@user', 'https://localhost.example.com/',
    'https://internal.example.com/', 'https://local.example.com/', 'https://example.com./', long(2048),
  ]
  // biome-ignore format: many short values read better side by side
  const refused = [
    '', ' ', 'x', 'example.com', '//example.com/', '/hook', 'https:', 'https://', 'https:///hook',
    'https:example.com', 'https:/example.com', 'https:\\\\example.com', ' https://example.com/',
    'https://example.com/ ', 'https://exa mple.com/', 'https://example.com/a\nb', 'https://example.com/\t',
    'https://example.com:0x50/', 'https://example.com:99999/', 'https://[::1/',
    'http://example.com/', 'HTTP://example.com/', 'http://8.8.8.8/', 'http://[2606:4700::1111]/',
    'https://intranet/', 'https://intranet./', 'https://notlocalhost/', 'https://internal/', 'https://com/',
    'https://x.local/', 'https://X.LOCAL./', 'https://a.b.internal/', 'https://metadata.google.internal/',
    'https://*.example.com/', 'https://*/', 'https://a*b.example.com/', 'https://%2A.example.com/',
    'https://a..example.com/', 'https://.example.com/',
    'http://notlocalhost/', 'http://localhost.example.com/', 'ftp://example.com/', 'ws://example.com/',
    'file:///etc/passwd', 'javascript:alert(1)', 'gopher://127.0.0.1/',
    'https://user@example.com/', 'https://user:pass@example.com/', 'https://@example.com/',
    'https://:@example.com/', 'https://:pass@example.com/', 'https://a%40b@example.com/',
    'https://example.com/#top', 'https://example.com#', 'https://example.com/?a#b', 'https://example.com/#',
    'https://example.com:25/', 'https://example.com:465/', 'https://example.com:587/',
    'https://example.com:0025/', 'https://127.0.0.1:25/', 'http://127.0.0.1:587/',
    long(2049), 'a\u0000', 'https://example.com/\u0000', 'https://example.com/\ud800',
  ]
  // Private and reserved addresses in every spelling; the fixture allows none of them.
  // biome-ignore format: many short values read better side by side
  const reserved = [
    '10.0.0.1', '172.16.0.1', '172.31.255.255', '192.168.1.1', '169.254.169.254', '100.64.0.1', '0.0.0.0',
    '0', '224.0.0.1', '255.255.255.255', '192.0.2.1', '198.18.0.1', '198.51.100.7', '203.0.113.7', '240.0.0.1',
    '192.0.0.192', '100.100.100.200', '10.1', '0xa.1', '167772161', '012.0.0.1', '10.0.0.1.',
    '[::]', '[fc00::1]', '[fd00:ec2::254]', '[fe80::1]', '[ff02::1]', '[2001:db8::1]', '[::ffff:10.0.0.1]',
    '[::ffff:a9fe:a9fe]', '[64:ff9b::a00:1]', '[2002:a00:1::]', '[::10.0.0.1]', '[100::1]', '[3fff::1]',
  ]
  // biome-ignore format: many short values read better side by side
  const loopback = [
    '127.0.0.1', '127.0.0.1:8080', '127.255.255.254', '127.1', '0x7f.0.0.1', '2130706433', '0177.0.0.1',
    'localhost', 'LocalHost', 'localhost.', 'hooks.localhost', 'a.b.localhost.', 'localhost:3000',
    '[::1]', '[0:0:0:0:0:0:0:1]', '[::ffff:127.0.0.1]', '[::ffff:7f00:1]',
  ]

  for (const url of taken)
    test(`createWebhookEndpoint 201: ${url.slice(0, 60)}`, async () => {
      for (const client of [api, closed]) {
        const answer = await client.post(PATH, { url })
        assert.equal(answer.status, 201, answer.text)
        assert.equal(answer.endpoint.url, url, 'it is echoed as sent')
      }
    })

  test('createWebhookEndpoint 400: an address events may not go to, path url', async () => {
    for (const url of refused) {
      const answer = await create({ url })
      assert.deepEqual([answer.code, ...new Set(answer.paths)], ['validation_error', 'url'], url)
    }
  })

  test('updateWebhookEndpoint 400: the same addresses, and the old one stays', async () => {
    const { id } = await api.createEndpoint()
    for (const url of [...refused, null, 1]) {
      const answer = await api.patch(`${PATH}/${id}`, { url, description: 'Lost' })
      assert.deepEqual([answer.code, ...new Set(answer.paths)], ['validation_error', 'url'])
    }
    const { url, description } = await api.getEndpoint(id)
    assert.deepEqual([url, description], [HOOK, null])
  })

  for (const scheme of ['https', 'http'])
    test(`createWebhookEndpoint 400: ${scheme} to a private or reserved address that nobody allowed`, async () => {
      for (const host of reserved)
        for (const client of [api, closed, httpsOnly]) {
          const answer = await client.post(PATH, { url: `${scheme}://${host}/hook` })
          assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'url'], host)
        }
    })

  test('createWebhookEndpoint 201: an allowed address, over https and, where that is allowed too, http', async () => {
    for (const host of loopback)
      for (const scheme of ['https', 'http']) {
        const url = `${scheme}://${host}/hook`
        const answer = await create({ url })
        assert.equal(answer.status, 201, `${url} ${answer.text}`)
      }
  })

  test('createWebhookEndpoint 400: with nothing allowed the loopback is refused, by name too', async () => {
    for (const host of loopback)
      for (const scheme of ['https', 'http']) {
        const answer = await closed.post(PATH, { url: `${scheme}://${host}/hook` })
        assert.deepEqual([answer.code, ...answer.paths], ['validation_error', 'url'], host)
      }
  })

  test('createWebhookEndpoint: an allowed address without WEBHOOK_ALLOW_HTTP takes https alone', async () => {
    for (const host of loopback) {
      const secure = await httpsOnly.post(PATH, { url: `https://${host}/hook` })
      assert.equal(secure.status, 201, `${host} ${secure.text}`)
      const plain = await httpsOnly.post(PATH, { url: `http://${host}/hook` })
      assert.deepEqual([plain.code, ...plain.paths], ['validation_error', 'url'], host)
    }
  })
})
