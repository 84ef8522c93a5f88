import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseMasterKeys } from '../platform/crypto/encryption.ts'
import { PageSessions } from './page-session.ts'

const KEYS = { a: Buffer.alloc(32, 1), b: Buffer.alloc(32, 2) }
const NOW_MS = Date.UTC(2026, 10, 14)
const DAY_MS = 86_400_000
const page = { pageId: 'page', passwordHash: '$argon2id$first' }

function sessions(...names: (keyof typeof KEYS)[]): PageSessions {
  const keys = parseMasterKeys(
    names.map((name) => `${name}:${KEYS[name].toString('base64')}`).join(),
  )
  if (typeof keys === 'string') throw new Error(keys)
  return new PageSessions(keys)
}

function cookieOf(made: PageSessions, isSecure = true): { pair: string; attributes: string[] } {
  const cookie = made.open(page, { path: '/status/acme', isSecure, nowMs: NOW_MS })
  const [pair = '', ...attributes] = cookie.split('; ')
  return { pair, attributes }
}

test('open: for this path, for 30 days, out of reach of scripts', () => {
  const { attributes } = cookieOf(sessions('a'))
  assert.deepEqual(attributes, [
    'Path=/status/acme',
    'Max-Age=2592000',
    'HttpOnly',
    'SameSite=Lax',
    'Secure',
  ])
  assert.ok(!cookieOf(sessions('a'), false).attributes.includes('Secure'))
})

test('isOpen: until it expires, among other cookies', () => {
  const { pair } = cookieOf(sessions('a'))
  const isOpen = (cookies: string, nowMs = NOW_MS) => sessions('a').isOpen(page, cookies, nowMs)
  assert.ok(isOpen(pair))
  assert.ok(isOpen(`upvane_page=other; theme=dark; ${pair}`))
  assert.ok(isOpen(pair, NOW_MS + 30 * DAY_MS - 1))
  assert.ok(!isOpen(pair, NOW_MS + 30 * DAY_MS))
  assert.ok(!isOpen(''))
})

test('isOpen: not for another page, another password, another time or another key', () => {
  const { pair } = cookieOf(sessions('a'))
  const made = sessions('a')
  assert.ok(!made.isOpen({ ...page, pageId: 'other' }, pair, NOW_MS))
  assert.ok(!made.isOpen({ ...page, passwordHash: '$argon2id$second' }, pair, NOW_MS))
  assert.ok(!made.isOpen(page, pair.replace(/=\d/, '=9'), NOW_MS))
  assert.ok(!sessions('b').isOpen(page, pair, NOW_MS))
})

test('isOpen: a master key that was replaced still counts while it is configured', () => {
  const { pair } = cookieOf(sessions('a'))
  assert.ok(sessions('b', 'a').isOpen(page, pair, NOW_MS))
})
