// Whatever the importers write, "upv plan" reads: the YAML, its schema, and every reference in it.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { ANY_CONTENT } from '../../test/import/any-content.ts'
import { mapText } from '../../test/import/map-text.ts'
import { readConfiguration } from '../as-code/file/configuration.ts'
import { parseYaml } from '../as-code/file/parse-yaml.ts'
import { toYaml } from './common/to-yaml.ts'

for (const [name, [content, toFile]] of Object.entries(ANY_CONTENT))
  test(`${name}: the file is a configuration`, () => {
    fc.assert(
      fc.property(content, (given) => {
        const { file, report, secrets } = mapText(name, toFile(given))
        const parsed = parseYaml(toYaml(name, ['Made by a test'], file))
        assert.deepEqual(parsed.syntax, [])
        const env = Object.fromEntries(
          report.variables.map((each) => [each, secrets.get(each) ?? 'x']),
        )
        const { configuration, problems } = readConfiguration(parsed.value, env)
        assert.deepEqual(problems, [])
        const resources = [...file.values()].reduce((sum, { size }) => sum + size, 0)
        assert.equal(configuration?.resources.length, resources)
      }),
      { numRuns: 200 },
    )
  })
