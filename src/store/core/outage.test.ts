import assert from 'node:assert/strict'
import { test } from 'node:test'
import pg from 'pg'
import { UnreplicatedError } from '../wire/unreplicated.ts'
import { describeOutage, isDatabaseOutage, noteDatabaseError } from './outage.ts'

const ofDatabase = (code: string) => Object.assign(new pg.DatabaseError('x', 1, 'error'), { code })
const ofNetwork = (code: string) => Object.assign(new Error(''), { code })
const noted = (error: Error) => {
  noteDatabaseError(error)
  return error
}

// biome-ignore format: a table is read by its columns
const ROWS: [name: string, error: unknown, isOutage: boolean, description: string | undefined][] = [
  ['the primary stops',            ofDatabase('57P01'),                                true,  'x'],
  ['no connection left',           ofDatabase('53300'),                                true,  'x'],
  ['a primary that was replaced',  ofDatabase('25006'),                                true,  'x'],
  ['a statement that was canceled', ofDatabase('57014'),                               true,  undefined], // keeps its stack
  ['a deadlock',                   ofDatabase('40P01'),                                true,  undefined],
  ['nobody listens',               noted(ofNetwork('ECONNREFUSED')),                          true,  'ECONNREFUSED'],
  ['cut off',                      noted(new Error('Connection terminated unexpectedly')),    true,  'Connection terminated unexpectedly'],
  ['no standby confirmed',         new UnreplicatedError('no standby'),                true,  'no standby'],
  ['a unique violation',           ofDatabase('23505'),                                false, undefined],
  ['a client that left',           ofNetwork('ECONNRESET'),                            false, undefined],
  ['a bug',                        noted(new TypeError('x is undefined')),                    false, undefined],
  ['no error',                     'ECONNREFUSED',                                     false, undefined],
]

for (const [name, error, isOutage, description] of ROWS)
  test(`${name}: ${isOutage ? 'passes by itself' : 'does not pass'}`, () => {
    assert.equal(isDatabaseOutage(error), isOutage)
    assert.equal(describeOutage(error), description)
  })
