// The registrar of a domain, as registries write it in RDAP and WHOIS.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { findRegistrar } from './rdap.ts'
import { findRegistrarLine } from './whois.ts'

const VERSION = ['version', {}, 'text', '4.0']
const card = (...properties: unknown[]) => ['vcard', [VERSION, ...properties]]
const fn = (name: unknown) => ['fn', {}, 'text', name]
const org = (name: unknown) => ['org', {}, 'text', name]
const entity = (roles: unknown, vcardArray: unknown) => ({ roles, vcardArray })
const registrar = (...properties: unknown[]) => entity(['registrar'], card(...properties))

// biome-ignore format: a table is read by its columns
const records: [why: string, entities: unknown, name: string | null][] = [
  ['the formatted name',              [registrar(fn('Example Registrar, Inc.'))],                 'Example Registrar, Inc.'],
  ['the organization',                [registrar(org('Gandi SAS'))],                              'Gandi SAS'],
  ['an organization with units',      [registrar(org(['Gandi SAS', 'Domains']))],                 'Gandi SAS'],
  ['the name before the organization', [registrar(org('Gandi SAS'), fn('Gandi'))],                'Gandi'],
  ['an empty name',                   [registrar(fn(''), org('Gandi SAS'))],                      'Gandi SAS'],
  ['several roles',                   [entity(['abuse', 'registrar'], card(fn('Gandi')))],        'Gandi'],
  ['other entities',                  [entity(['registrant'], card(fn('Ana'))), registrar(fn('Gandi'))], 'Gandi'],
  ['an entity without a name',        [registrar(), registrar(fn('Gandi'))],                      'Gandi'],
  ['control characters',              [registrar(fn('Gandi\u0000\u202e\nSAS'))],                  'Gandi SAS'],
  ['a very long name',                [registrar(fn('x'.repeat(200_000)))],                       `${'x'.repeat(119)}…`],
  ['markup is text',                  [registrar(fn('<b>Gandi</b>'))],                            '<b>Gandi</b>'],
  ['only a registrant',               [entity(['registrant'], card(fn('Ana')))],                  null],
  ['no name at all',                  [registrar()],                                              null],
  ['a name that is a number',         [registrar(fn(7))],                                         null],
  ['a name that is an object',        [registrar(fn({ toString: 'x' }))],                         null],
  ['a role that is text',             [entity('registrar', card(fn('Gandi')))],                   null],
  ['a card that is text',             [entity(['registrar'], 'vcard')],                           null],
  ['a card of nothing',               [entity(['registrar'], ['vcard', [null, 7, 'fn', [], ['fn']]])], null],
  ['no card',                         [{ roles: ['registrar'] }],                                 null],
  ['no entities',                     [],                                                         null],
  ['entities that are none',          [null, 7, 'registrar', []],                                 null],
  ['entities that are an object',     { roles: ['registrar'] },                                   null],
]
for (const [why, entities, name] of records)
  test(`RDAP registrar: ${why}`, () => assert.equal(findRegistrar({ entities }), name))

test('RDAP registrar: hostile records name nobody', () => {
  for (const record of [undefined, null, 7, 'x', [], {}, { entities: null }])
    assert.equal(findRegistrar(record), null)
})

// biome-ignore format: a table is read by its columns
const responses: [text: string, name: string | null][] = [
  ['Domain Name: A.COM\r\n   Registrar: MarkMonitor Inc.\r\n   Registrar IANA ID: 292\r\n', 'MarkMonitor Inc.'],
  ['   Registrar WHOIS Server: whois.a.com\r\n   Registrar URL: http://a.com\r\n   Registrar: A, LLC\r\n', 'A, LLC'],
  ['Sponsoring Registrar: Key-Systems GmbH\n',                                      'Key-Systems GmbH'],
  ['Registrar Name: Synergy Wholesale Pty Ltd\n',                                   'Synergy Wholesale Pty Ltd'],
  ['registrar:                   GANDI\n',                                          'GANDI'],
  ['registrar..........: Louhi Net Oy\n',                                           'Louhi Net Oy'],
  ['Registrar\n\nregistrar..........: Louhi Net Oy\n',                              'Louhi Net Oy'],
  ['    Registrar:\r\n        Fasthosts Internet Ltd [Tag = LIVE]\r\n        URL: https://a.uk\r\n', 'Fasthosts Internet Ltd [Tag = LIVE]'],
  ['Registrar:\n\tName:\t\tOVH SAS\n\tWebsite:\thttps://ovh.com\n',                 'OVH SAS'],
  ['Registrar\n  Organization:     Aruba s.p.a.\n  Name:             ARUBA-REG\n',  'Aruba s.p.a.'],
  ['REGISTRAR:\nnazwa.pl sp. z o.o.\nul. Cystersow 20a\n',                          'nazwa.pl sp. z o.o.'],
  ['Registrar: http://a.example: the first\n',                                      'http://a.example: the first'],
  ['Registrar: A\u0000B\u001b[31m\n',                                               'A B [31m'],
  [`Registrar: ${'x'.repeat(60_000)}\n`,                                            `${'x'.repeat(119)}…`],
  ['Registrar: \nRegistrar IANA ID: 292\n',                                         null],
  ['Registrar:\n\nThe data in this database is provided for information.\n',        null],
  ['Registrar:\n% Restricted rights.\n',                                            null],
  ['Registrar:',                                                                    null],
  ['Please contact your\nregistrar.\nThank you\n',                                  null],
  ['Registrar URL: https://a.example\nRegistrar Abuse Contact Email: a@a.example\n', null],
  ['Registrant: Registrar Ltd\n',                                                   null],
  ['Domain: a.de\nStatus: connect\n',                                               null],
  ['',                                                                              null],
]
for (const [text, name] of responses)
  test(`WHOIS registrar: ${JSON.stringify(text.slice(0, 60))} -> ${name?.slice(0, 30)}`, () =>
    assert.equal(findRegistrarLine(text), name))
