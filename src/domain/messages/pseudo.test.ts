import assert from 'node:assert/strict'
import { test } from 'node:test'
import { catalogFaults } from './catalog-faults.ts'
import { toPseudo } from './pseudo.ts'
import { textsOf } from './texts.ts'

const CATALOG = {
  title: 'Incidents in the last days',
  short: 'Up',
  none: '',
  down: '{name} is down',
  found: '{count, plural, one {# monitor} other {# monitors}} found',
  terms: 'Read the <terms>terms</terms>.',
  words: ['check'],
}
const LANGUAGE = {
  formatCount: String,
  plurals: new Intl.PluralRules('en-XA'),
  join: (pieces: readonly unknown[]) => pieces,
}

test('every message is in brackets, has accents, and is two fifths longer', () => {
  const pseudo = toPseudo(CATALOG)
  assert.match(pseudo.title, /^⟦Íñçíđéñţš íñ ţĥé ĺášţ đáýš \S.*⟧$/)
  assert.ok(pseudo.title.length >= CATALOG.title.length * 1.4)
  assert.equal(pseudo.short, '⟦Úþ⟧')
  assert.equal(pseudo.none, '')
  assert.match(pseudo.words[0] ?? '', /^⟦çĥéçķ/)
})

test('it is a complete translation: values, counts and tags are still there', () => {
  assert.deepEqual(catalogFaults({ ...toPseudo(CATALOG), words: [] }, 'en-XA', CATALOG), [])
  const texts = textsOf(toPseudo(CATALOG) as { down: '{name} is down' }, LANGUAGE)
  assert.match(texts.down({ name: 'Shop' }), /^⟦Shop íš đóŵñ \S+⟧$/)
})
