import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isRecentSetUpToken, toSetUpToken } from './set-up-token.ts'

const RANDOM = 'x'.repeat(43)
const MADE = new Date('2026-01-31T12:00:00.900Z')
const at = (ms: number) => new Date(MADE.getTime() + ms)
const HOUR_MS = 3_600_000
const token = toSetUpToken(RANDOM, MADE)

// biome-ignore format: a table is read by its columns
const rows: [what: string, token: string, now: Date, isRecent: boolean][] = [
  ['just made',                  token,                 MADE,              true],
  ['made 59 minutes ago',        token,                 at(59 * 60_000),   true],
  ['made an hour ago',           token,                 at(HOUR_MS),       false],
  ['made by a clock that is ahead', token,              at(-60_000),       true],
  ['without a time',             RANDOM,                MADE,              false],
  ['with a time that is none',   `${RANDOM}.-1`,        MADE,              false],
  ['with a time that is too long', `${RANDOM}.zzzzzzzzz`, MADE,            false],
  ['with something added',       `${token} `,           MADE,              false],
]
for (const [what, text, now, isRecent] of rows)
  test(`a set-up token ${what} ${isRecent ? 'works' : 'does not work'}`, () => {
    assert.equal(isRecentSetUpToken(text, now), isRecent)
  })
