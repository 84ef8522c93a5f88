import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFaults } from './catalog-faults.ts'

const ENGLISH = {
  down: '{name} is down',
  found: '{count, plural, one {# monitor} other {# monitors}}',
  terms: 'Read the <terms>terms</terms>.',
}

// biome-ignore format: a table is read by its columns
const ROWS: [what: string, language: string, translation: Record<string, string>, faults: RegExp[]][] = [
  ['a complete translation',            'de', { down: '{name} ist ausgefallen', found: '{count, plural, one {# Monitor} other {# Monitore}}' }, []],
  ['a message English does not have',   'de', { up: 'Läuft' },                                      [/^up: there is no such message/]],
  ['a value that is missing',           'de', { down: 'Ausgefallen' },                              [/^down: has the values \(\), English has \(name\)/]],
  ['a value under another name',        'de', { down: '{Name} ist ausgefallen' },                   [/Not a message/]],
  ['a tag that is missing',             'de', { terms: 'Lies die Bedingungen.' },                   [/has the tags \(\), English has \(terms\)/]],
  ['a tag that is not closed',          'de', { terms: 'Lies <terms>die Bedingungen.' },            [/Not a message/]],
  ['a brace that is not closed',        'de', { down: '{name ist ausgefallen' },                    [/Not a message/]],
  ['a case that Polish has',            'pl', { found: '{count, plural, one {#} other {#}}' },      [/no case `few` of count/, /no case `many` of count/]],
  ['a case that Japanese does not have','ja', { found: '{count, plural, one {#} other {#}}' },      [/`one` of count, which the language does not have/]],
  ['a plural without `other`',          'de', { found: '{count, plural, one {#}}' },                [/Not a message/]],
  ['a case that no language has',       'de', { found: '{count, plural, single {#} other {#}}' },   [/no case `one` of count/, /`single` of count, which the language does not have/]],
  ['a piece of a sentence',             'de', { down: ' {name} ist ausgefallen' },                  [/begins or ends with a space/]],
]
for (const [what, language, translation, faults] of ROWS)
  test(`a translation with ${what}`, () => {
    const found = catalogFaults(translation, language, ENGLISH)
    assert.equal(found.length, faults.length, found.join('\n'))
    faults.forEach((fault, at) => assert.match(found[at] ?? '', fault))
  })
