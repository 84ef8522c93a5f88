import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isReservedSlug, slugCandidates } from './slug.ts'

const SLUG = /^[a-z0-9](?:[a-z0-9-]*[a-z0-9])?$/

// biome-ignore format: a table is read by its columns
const rows: [name: string, first: string][] = [
  ['Example Shop',                'example-shop'],
  ['  Example -- Shop!  ',        'example-shop'],
  ["Müller's Café & Bar",         'muller-s-cafe-bar'],
  ['Straße Ørsted Łódź',          'strasse-orsted-lodz'],
  ['ŒUVRE Þór',                   'oeuvre-thor'],
  ['ﬁle ①',                       'file-1'],
  ['İstanbul ısı',                'istanbul-isi'],
  ['status.example.com',          'status-example-com'],
  ['A',                           'a-status'],
  ['42',                          '42-status'],
  ['日本',                         'my-status'],
  ['🙂🙂🙂',                       'my-status'],
  ['Status',                      'status-2'], // reserved
  ['API',                         'api-2'],
  ['x'.repeat(120),               'x'.repeat(48)],
  [`${'x'.repeat(47)} y`,         'x'.repeat(47)],
]

for (const [name, first] of rows)
  test(`slug of ${JSON.stringify(name.slice(0, 30))} is ${first.slice(0, 30)}`, () => {
    const candidates = slugCandidates(name, ['3f9a2c', '77aa01'])
    assert.equal(candidates[0], first)
    assert.ok(candidates.length >= 6)
    assert.equal(new Set(candidates).size, candidates.length)
    for (const slug of candidates) {
      assert.match(slug, SLUG)
      assert.ok(slug.length >= 3 && slug.length <= 63, slug)
      assert.ok(!isReservedSlug(slug), slug)
    }
    assert.ok(candidates.at(-1)?.endsWith('-77aa01'))
  })

test('addresses of the service are reserved', () => {
  for (const slug of ['api', 'app', 'docs', 'status', 'admin', 'login', 'www', 'assets', 'badge'])
    assert.ok(isReservedSlug(slug), slug)
  for (const slug of ['acme', 'api-2', 'my-app']) assert.ok(!isReservedSlug(slug), slug)
})
