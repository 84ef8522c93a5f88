// Whatever a file holds, every item is reported once, nothing throws, and no secret is in the file or in the report.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANY_CONTENT, PLANTED } from '../../test/import/any-content.ts'
import { assertCounts } from '../../test/import/imported.ts'
import { mapText } from '../../test/import/map-text.ts'
import type { Imported } from './common/collector.ts'
import { toYaml } from './common/to-yaml.ts'
import type { SourceRow } from './common/values.ts'

/** What people and version control see. */
function publicTexts({ file, report }: Imported): string {
  return toYaml('x', [], file) + JSON.stringify(report)
}

const SECRET_FIELDS = new Set([
  'basic_auth_pass',
  'httpPassword',
  'auth_password',
  'body',
  'postValueData',
])

for (const [name, [given, toFile]] of Object.entries(ANY_CONTENT)) {
  test(`${name}: counts add up, for any content`, () => {
    fc.assert(
      fc.property(given, (content) => {
        const imported = mapText(name, toFile(content))
        assertCounts(imported)
        publicTexts(imported)
      }),
      { numRuns: 300 },
    )
  })

  test(`${name}: no secret is in the file or in the report`, () => {
    fc.assert(
      fc.property(given, (content) => {
        const cleaned = content.map((row) => onlySecretsPlanted(row))
        assert.ok(!publicTexts(mapText(name, toFile(cleaned))).includes(PLANTED))
      }),
      { numRuns: 300 },
    )
  })
}

/** Keeps the planted value only where secrets are: elsewhere it would be content like any other. */
function onlySecretsPlanted(row: unknown): unknown {
  if (typeof row !== 'object' || row === null) return null
  return Object.fromEntries(
    Object.entries(row as SourceRow).map(([field, value]) => {
      const isPlanted = JSON.stringify(value)?.includes(PLANTED) === true
      const isHeaders = /header/i.test(field) && !(typeof value === 'string' && value === PLANTED)
      return [field, !isPlanted || SECRET_FIELDS.has(field) || isHeaders ? value : 'x']
    }),
  )
}
