// A form replaces texts of the API by its own sentences. If the API says something else one day, the sentence would
// silently be lost: so each text must be in the server's sources.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { keySentences } from './connections/api-keys.ts'
import { contactSentences } from './connections/contacts.ts'
import { escalationSentences } from './connections/escalation.ts'
import { endpointSentences } from './connections/webhooks.ts'
import { toSentence } from './field-problems.ts'
import { incidentSentences } from './publishing/incidents.ts'
import { windowSentences } from './publishing/maintenance.ts'
import { pageSentences } from './publishing/status-page-editor.ts'

const ROOT = join(import.meta.dirname, '../../..')
const SERVER = globSync('src/{actions,api,domain}/**/*.ts', { cwd: ROOT })
  .filter((path) => !path.endsWith('.test.ts'))
  .map((path) => readFileSync(join(ROOT, path), 'utf8'))
  .join('\n')

const TABLES = {
  keySentences,
  contactSentences,
  escalationSentences,
  endpointSentences,
  incidentSentences,
  windowSentences,
  pageSentences,
}

for (const [name, table] of Object.entries(TABLES))
  test(`${name}: every text of the API that has a sentence is one that the API says`, () => {
    for (const [field, { says = {} }] of Object.entries(table))
      for (const text of Object.keys(says))
        assert.ok(SERVER.includes(text), `${field}: the server does not say "${text}"`)
  })

// biome-ignore format: a table is read by its columns
const SENTENCES: [table: keyof typeof TABLES, field: string, message: string, sentence: string][] = [
  ['windowSentences',   'name',             'must not be empty',                              'Enter a name.'],
  ['windowSentences',   'endsAt',           'must be after startsAt',                         'The end must be after the start.'],
  ['windowSentences',   'monitorIds',       'must name a monitor unless allMonitors is true', 'Choose at least one monitor, or turn on All monitors.'],
  ['contactSentences',  'states',           'must have at least 1 item(s)',                   'Choose at least one.'],
  ['contactSentences',  'settings.address', 'is required',                                    'Enter an email address.'],
  ['contactSentences',  'settings.url',     'must start with https://',                       'Start with https://.'],
  ['escalationSentences', 'steps.9.contactIds', 'must have at least 1 item(s)',                 'Choose at least one contact.'],
  ['endpointSentences', 'url',              'must be a URL',                                  'Enter a URL that starts with https://.'],
  ['pageSentences',     'slug',             'has a form that is not allowed',                 'Use lowercase letters, numbers and hyphens.'],
  ['pageSentences',     'historyDays',      'must be 365 or less',                            'Enter a number from 7 to 365.'],
  ['incidentSentences', 'message',          'must not be empty',                              'Enter a message.'],
  ['keySentences',      'name',             'must not be empty',                              'Enter a name.'],
]
for (const [table, field, message, sentence] of SENTENCES)
  test(`${table}: ${field} ${message}`, () => {
    assert.equal(toSentence(TABLES[table][field], message), sentence)
  })
