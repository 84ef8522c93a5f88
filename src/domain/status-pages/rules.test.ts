import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type PageInput, pageInputProblems } from './rules.ts'

const component = { name: 'C' }
const many = (n: number) => Array.from({ length: n }, () => component)

const rows: [what: string, input: PageInput, paths: string[]][] = [
  ['nothing', {}, []],
  ['a zone', { timezone: 'Asia/Tokyo' }, []],
  ['no zone', { timezone: 'Tokyo' }, ['timezone']],
  ['an offset', { timezone: '+09:00' }, ['timezone']],
  ['addresses', { logoUrl: 'https://a.example/l.png', homepageUrl: null }, []],
  [
    'an address that is none',
    { logoUrl: 'https://a b/', supportUrl: 'http://[' },
    ['logoUrl', 'supportUrl'],
  ],
  ['a domain', { customDomain: 'status.example.com' }, []],
  ['no domain', { customDomain: null }, []],
  ['the host of the service', { customDomain: 'UPVANE.example.org' }, ['customDomain']],
  ['a name below it', { customDomain: 'a.b.upvane.example.org' }, ['customDomain']],
  ['a name below the other one', { customDomain: 'a.pages.example.net' }, ['customDomain']],
  ['a name that only ends like it', { customDomain: 'my-upvane.example.org' }, []],
  ['a name above it', { customDomain: 'example.org' }, []],
  ['both forms', { sections: [], monitorIds: [] }, ['monitorIds']],
  ['200 components', { sections: [{ components: many(150) }, { components: many(50) }] }, []],
  [
    '201 components',
    { sections: [{ components: many(150) }, { components: many(51) }] },
    ['sections'],
  ],
  ['a section twice', { sections: [{ id: 'a' }, { id: 'b' }, { id: 'a' }] }, ['sections.2.id']],
  [
    'a component twice',
    { sections: [{ components: [{ id: 'c' }, { id: 'd' }] }, { components: [{ id: 'c' }] }] },
    ['sections.1.components.0.id'],
  ],
  ['several without an id', { sections: [{}, {}, { components: many(2) }] }, []],
]

for (const [what, input, paths] of rows)
  test(`${what}: ${paths.join(', ') || 'fine'}`, () => {
    const problems = pageInputProblems(input, ['upvane.example.org', 'pages.example.net'])
    assert.deepEqual(
      problems.map(({ path }) => path),
      paths,
    )
  })
