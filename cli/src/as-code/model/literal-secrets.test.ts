import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readConfiguration } from '../file/configuration.ts'
import { parseYaml } from '../file/parse-yaml.ts'
import { literalSecrets } from './literal-secrets.ts'

test('literalSecrets: secret settings that are written in the file; not those of variables, nor what anybody may read', () => {
  const text = `
version: 1
source: s
contacts:
  plain: { name: Plain, channel: PUSHOVER, settings: { appToken: "aaaaaaaaaaaaaaaaaaaaaaaaaaaaaa", userKey: "\${env:USER_KEY}" } }
  mail: { name: Mail, channel: EMAIL, settings: { address: ops@example.com } }
`
  const env = { USER_KEY: 'uQiRzpo4DXghDmr9QzzfQu27cmVRsG' }
  const { configuration, problems } = readConfiguration(parseYaml(text).value, env)
  assert.ok(configuration, JSON.stringify(problems))
  assert.deepEqual(literalSecrets(configuration.resources), ['contacts.plain.settings.appToken'])
})
