import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findChangelogProblems } from './problems.ts'
import { isPinned } from './provenance.ts'
import { describeChanges } from './sbom-changes.ts'

const CHANGELOGS: [title: string, text: string, problems: RegExp[]][] = [
  ['the newest section with its date', '## [0.2.0] - 2026-12-01\n\n## [0.1.0] - 2026-09-01\n', []],
  [
    'one that is not released yet',
    '## [0.2.0] - Unreleased\n',
    [/0\.2\.0 has no date: Unreleased/],
  ],
  [
    'a newer one',
    '## [0.3.0] - Unreleased\n\n## [0.2.0] - 2026-12-01\n',
    [/newest section is 0\.3\.0/],
  ],
  ['none', '# Changelog\n', [/newest section is missing/]],
]
for (const [title, text, expected] of CHANGELOGS)
  test(`findChangelogProblems: ${title}`, () => {
    const found = findChangelogProblems(text, '0.2.0')
    assert.equal(found.length, expected.length, found.join())
    for (const [index, pattern] of expected.entries()) assert.match(found[index] ?? '', pattern)
  })

test('isPinned: an image with its digest, and none by a name that can be moved', () => {
  const digest = 'a'.repeat(64)
  assert.ok(isPinned(`registry.example/debian@sha256:${digest}`))
  for (const image of ['debian:12', 'debian', 'debian@sha256:abc', `debian@sha256:${digest}0`])
    assert.ok(!isPinned(image), image)
})

test('describeChanges: added, removed and changed packages, each once', () => {
  const sbom = (...rows: [name: string, version: string][]) =>
    JSON.stringify({
      components: rows.map(([name, version]) => ({
        name,
        version,
        'bom-ref': `${name}@${version}`,
      })),
    })
  const before = sbom(['ajv', '8.0.0'], ['gone', '1.0.0'], ['same', '2.0.0'], ['two', '1.0.0'])
  const now = sbom(
    ['ajv', '8.1.0'],
    ['same', '2.0.0'],
    ['new', '3.0.0'],
    ['two', '1.0.0'],
    ['two', '2.0.0'],
  )
  assert.equal(
    describeChanges(before, now),
    '- ajv 8.0.0 -> 8.1.0\n- removed gone 1.0.0\n- added new 3.0.0\n- two 1.0.0 -> 1.0.0, 2.0.0\n',
  )
  assert.equal(describeChanges(before, before), 'The packages are the same.\n')
})
