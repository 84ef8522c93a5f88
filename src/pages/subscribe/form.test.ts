import assert from 'node:assert/strict'
import { test } from 'node:test'
import { toPublicId } from '../../domain/values/id.ts'
import { chosenOf } from './form.ts'

const API = '0197a000-0000-7000-8000-000000000001'
const WEB = '0197a000-0000-7000-8000-000000000002'
const STRANGE = '0197a000-0000-7000-8000-000000000003'
const components = [{ uuid: API }, { uuid: WEB }]

// biome-ignore format: a table is read by its columns
const rows: [what: string, scope: string | null, sent: string[], chosen: string[] | null | undefined][] = [
  ['one field alone',                null,   [],             null],
  ['all updates',                    'all',  [],             null],
  ['all updates, boxes left over',   'all',  [API],          null],
  ['some components',                'some', [API],          [API]],
  ['in the order of the page',       'some', [WEB, API],     [API, WEB]],
  ['some components, none chosen',   'some', [],             undefined],
  ['some components, of elsewhere',  'some', [STRANGE],      undefined],
  ['components without a scope',     null,   [WEB, STRANGE], [WEB]],
  ['an unknown scope',               'x',    [],             null],
]
for (const [what, scope, sent, chosen] of rows)
  test(`chosenOf: ${what}`, () => {
    const form = new URLSearchParams(scope === null ? {} : { scope })
    for (const uuid of sent) form.append('component', toPublicId('cmp', uuid))
    assert.deepEqual(chosenOf(form, components), chosen)
  })
