// The parts that every importer uses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isDomain, setHost, setHttpUrl, setTlsTarget } from './address.ts'
import { Collector } from './collector.ts'
import { ItemDraft } from './draft.ts'
import { addHeader, setBody } from './headers.ts'
import { readHeartbeatCsv, toHeartbeatCsv, toSedScript } from './heartbeat-list.ts'
import { KeyRing, toKey } from './keys.ts'
import { toSecretsFile } from './output.ts'
import { setStatuses } from './status-codes.ts'
import { toYaml } from './to-yaml.ts'
import { shapeOf } from './values.ts'
import { isZone, toInstant } from './zoned-time.ts'

const drafted = (act: (draft: ItemDraft) => void): ItemDraft => {
  const draft = new ItemDraft()
  act(draft)
  return draft
}

for (const [name, key] of [
  ['Shop', 'shop'],
  ['Café & Bar', 'cafe-bar'],
  ['--A--', 'a'],
  ['日本', ''],
  ['x'.repeat(200), 'x'.repeat(56)],
] as const)
  test(`the key of ${name.slice(0, 20)}`, () => {
    assert.equal(toKey(name), key)
  })

test('keys are distinct, and fit the format', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme' }), { maxLength: 50 }), (names) => {
      const ring = new KeyRing()
      const keys = names.map((name) => ring.take(name, 'monitor'))
      assert.equal(new Set(keys).size, names.length)
      for (const key of keys) assert.match(key, /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/)
    }),
  )
})

for (const [given, expected, isChanged] of [
  [['200-299'], ['200-299'], false],
  [[200, '201', 204], ['200-201', 204], false],
  [['2xx'], ['200-299'], false],
  [['200', 'nonsense'], [200], true],
  [['2xx', '3xx'], ['200-208', 226, '300-305', '307-308'], true],
] as const)
  test(`the statuses ${given.join(', ')}`, () => {
    const draft = drafted((one) => setStatuses(one, given))
    assert.deepEqual(draft.fields['expectedStatus'], expected)
    assert.equal(draft.changes.length > 0, isChanged)
  })

for (const given of [['600'], ['299-200'], [null], [{}]])
  test(`the statuses ${JSON.stringify(given)} are refused`, () => {
    assert.ok(drafted((one) => setStatuses(one, given)).refusal)
  })

for (const [given, isFine] of [
  ['https://a.example.com/x?y=z', true],
  ['http://[2001:db8::1]:8080/', true],
  ['https://', false],
  ['https://a b.example.com', false],
  ['https://-bad.example.com/', false],
  ['javascript:alert(1)', false],
  [`https://a.example.com/${'x'.repeat(2048)}`, false],
] as const)
  test(`the URL ${given.slice(0, 40)}`, () => {
    assert.equal(drafted((one) => setHttpUrl(one, given)).refusal === undefined, isFine)
  })

test('a password in a URL moves to a header', () => {
  const draft = drafted((one) => setHttpUrl(one, 'https://me:p%40ss@a.example.com/x'))
  assert.equal(draft.fields['url'], 'https://a.example.com/x')
  assert.ok(!JSON.stringify([draft.fields, draft.changes]).includes('ss@'))
  const out = new Collector('csv')
  out.announce('monitor', 1)
  out.add('monitors', { kind: 'monitor', id: '1', name: 'A' }, draft)
  const basic = `Basic ${Buffer.from('me:p@ss').toString('base64')}`
  assert.deepEqual([...out.finish().secrets], [['A_AUTHORIZATION', basic]])
})

for (const [given, host] of [
  ['db.example.com', 'db.example.com'],
  ['[2001:db8::1]', '2001:db8::1'],
  ['https://db.example.com:443/x', 'db.example.com'],
  ['not a host', undefined],
  ['', undefined],
] as const)
  test(`the host ${given}`, () => {
    assert.equal(drafted((one) => setHost(one, given)).fields['host'], host)
  })

for (const [given, isFine] of [
  ['status.example.com', true],
  ['xn--bcher-kva.example', true],
  ['example.xn--p1ai', true],
  ['localhost', false],
  ['a_b.example.com', false],
  ['-a.example.com', false],
  ['192.0.2.1', false],
  ['a..example.com', false],
  [`${'a.'.repeat(130)}com`, false],
] as const)
  test(`the domain ${given.slice(0, 30)}`, () => {
    assert.equal(isDomain(given), isFine)
  })

test('the target of SSL keeps its port', () => {
  assert.equal(
    drafted((one) => setTlsTarget(one, 'tls://a.example.com:993')).fields['url'],
    'a.example.com:993',
  )
  assert.equal(
    drafted((one) => setTlsTarget(one, 'a.example.com:443')).fields['url'],
    'a.example.com',
  )
})

test('headers that the API refuses are left out, and said', () => {
  const draft = drafted((one) => {
    for (const name of ['Connection', 'Proxy-Authorization', '__proto__', 'a b', 'Content-Length'])
      addHeader(one, name, 'x')
    addHeader(one, 'X-Line', 'a\nb')
  })
  assert.equal(draft.fields['requestHeaders'], undefined)
  assert.equal(draft.changes.length, 6)
})

test('too many headers and too large bodies are refused', () => {
  const headers = drafted((one) => {
    for (let n = 0; n < 70; n += 1) addHeader(one, `X-${n}`, 'x')
  })
  assert.match(headers.refusal ?? '', /headers/)
  assert.match(drafted((one) => setBody(one, 'x'.repeat(100_001))).refusal ?? '', /body/)
})

test('a text that the file would read as a variable stays a text', () => {
  const out = new Collector('csv')
  out.announce('monitor', 1)
  const draft = drafted((one) => one.set('keyword', 'is ${env:HOME}'))
  out.add('monitors', { kind: 'monitor', id: '1', name: 'A' }, draft)
  const { file, report } = out.finish()
  assert.deepEqual(file.get('monitors')?.get('a'), { keyword: 'is $${env:HOME}' })
  assert.deepEqual(report.variables, [])
})

test('an item that is lost fails the import', () => {
  const out = new Collector('csv')
  out.announce('monitor', 2)
  out.refuse({ kind: 'monitor', id: '1', name: 'A' }, 'Because.')
  assert.throws(() => out.finish(), /Of 2 items/)
})

test('YAML: texts that could be read as something else are quoted', () => {
  const fields = {
    name: 'yes',
    url: 'https://a',
    list: [200, '200-299'],
    nested: [{ a: 1, b: [] }],
    n: null,
    on: true,
  }
  const file = new Map([['monitors' as const, new Map<string, unknown>([['123', fields]])]])
  assert.equal(
    toYaml('kuma', ['Made\nby'], file),
    `# Made by
version: 1
source: kuma

monitors:
  "123":
    name: "yes"
    url: "https://a"
    list: [200, "200-299"]
    nested:
      - a: 1
        b: []
    "n": null
    "on": true
`,
  )
})

test('YAML: every text is one line of ASCII or printable characters', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (text) => {
      const file = new Map([
        ['monitors' as const, new Map<string, unknown>([['a', { name: text }]])],
      ])
      const [line = '', ...more] = toYaml('x', [], file).split('\n').slice(5)
      assert.deepEqual(more, [''])
      const shown = line.slice('    name: '.length)
      assert.equal(shown.startsWith('"') ? JSON.parse(shown) : shown, text.toWellFormed())
    }),
  )
})

for (const [date, time, zone, instant] of [
  ['2026-07-01', '12:00', 'Europe/Berlin', '2026-07-01T10:00:00.000Z'],
  ['2026-12-01', '12:00', 'Europe/Berlin', '2026-12-01T11:00:00.000Z'],
  // The clock skips from 2:00 to 3:00.
  ['2026-03-29', '02:30', 'Europe/Berlin', '2026-03-29T01:30:00.000Z'],
  ['2026-12-01', '00:00', 'Asia/Kolkata', '2026-11-30T18:30:00.000Z'],
  ['2026-12-01', '25:00', 'UTC', undefined],
  ['tomorrow', '01:00', 'UTC', undefined],
] as const)
  test(`${date} ${time} in ${zone}`, () => {
    assert.equal(toInstant(date, time, zone)?.toISOString(), instant)
  })

test('time zones', () => {
  assert.deepEqual(['UTC', 'Europe/Berlin', '+01:00', '', 'Nowhere'].map(isZone), [
    true,
    true,
    false,
    false,
    false,
  ])
})

test('the list of heartbeats is read back as it was written', () => {
  fc.assert(
    fc.property(
      fc.array(fc.string({ unit: 'grapheme' }), { minLength: 1, maxLength: 5 }),
      (names) => {
        const list = names.map((name) => ({
          monitor: 'a',
          name: name.trim().toWellFormed(),
          token: 't',
          oldUrl: '/ping/t',
          newUrl: '',
          aliasUrl: '',
        }))
        assert.deepEqual(readHeartbeatCsv('x', toHeartbeatCsv(list)), list)
      },
    ),
  )
})

test('the script for sed changes exactly the old URLs, the longest first', () => {
  const one = { monitor: 'a', name: 'A', token: 't', aliasUrl: '' }
  const list = [
    { ...one, oldUrl: 'https://k.example.com/api/push/ab', newUrl: 'https://u/hb/1&2' },
    { ...one, oldUrl: 'https://k.example.com/api/push/abc', newUrl: 'https://u/hb/3' },
    { ...one, oldUrl: '', newUrl: 'https://u/hb/4' },
  ]
  assert.equal(
    toSedScript(list),
    `s|https://k\\.example\\.com/api/push/abc|https://u/hb/3|g
s|https://k\\.example\\.com/api/push/ab|https://u/hb/1\\&2|g
`,
  )
})

test('the file of secrets is safe for a shell', () => {
  const file = toSecretsFile(new Map([['A', "it's $HOME `id`"]]))
  assert.match(file, /^A='it'\\''s \$HOME `id`'$/m)
})

test('shapes of JSON', () => {
  assert.equal(shapeOf('['.repeat(50)), 'fits')
  assert.equal(shapeOf('['.repeat(51)), 'too deep')
  assert.equal(shapeOf(JSON.stringify('[{'.repeat(100))), 'fits')
  assert.equal(shapeOf('"\\"' + '['.repeat(60)), 'fits')
  assert.equal(shapeOf('[]'.repeat(2_000_000)), 'fits')
  assert.equal(shapeOf('[]'.repeat(2_000_001)), 'too large')
})
