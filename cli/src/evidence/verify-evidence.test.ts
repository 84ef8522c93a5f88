// Evidence files written here by hand, and every way to change one.
import assert from 'node:assert/strict'
import { createHash, generateKeyPairSync, type KeyObject, sign } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { claimedInstallation, toPublicKey, verifyEvidence } from './verify-evidence.ts'

const pair = generateKeyPairSync('ed25519')
const other = generateKeyPairSync('ed25519')
const keyOf = ({ publicKey }: { publicKey: KeyObject }) =>
  String(publicKey.export({ format: 'jwk' })['x'])
const KEY = keyOf(pair)
const hash = (text: string) => createHash('sha256').update(text).digest('hex')

const HEADER = {
  format: 'upvane-evidence/1',
  installation: 'https://up.example',
  keyId: 'k1',
  publicKey: KEY,
  createdAt: '2026-11-14T13:40:00.000Z',
  organization: { id: 'org_1', name: 'Acme' },
  monitor: { id: 'mon_1', name: 'Shöp', type: 'HTTP', target: 'https://shop.example/' },
  incident: {
    id: 'inc_1',
    startedAt: '2026-11-14T13:27:10.000Z',
    resolvedAt: null,
    cause: 'HTTP 503',
  },
  complete: true,
}
const ENTRIES = [
  { kind: 'CHECK', at: '2026-11-14T13:27:10.000Z', data: { verdict: 'FAILED', httpStatus: 503 } },
  { kind: 'TIMELINE', at: '2026-11-14T13:27:10.000Z', data: { type: 'OPENED', message: 'x' } },
]

function write(header: object, entries: readonly object[], signer = pair): Buffer {
  const lines = [`${JSON.stringify(header)}\n`]
  for (const entry of entries)
    lines.push(`${JSON.stringify({ previous: hash(lines.at(-1) ?? ''), ...entry })}\n`)
  const text = lines.join('')
  const last = {
    previous: hash(lines.at(-1) ?? ''),
    kind: 'SIGNATURE',
    lines: lines.length,
    signature: sign(null, Buffer.from(text), signer.privateKey).toString('base64url'),
  }
  return Buffer.from(`${text}${JSON.stringify(last)}\n`)
}

const FILE = write(HEADER, ENTRIES)
// Of the installation that the file in cli/test was downloaded from.
const REAL_KEY = 'pKPfYHrjifHWRRrqgbp8dORbycjIxaRl9LUoHK0p6ig'

test('a genuine file: what it says', () => {
  const found = verifyEvidence(FILE, KEY)
  assert.ok(found.isGenuine)
  const { summary } = found
  assert.deepEqual(
    [summary.incidentId, summary.monitor, summary.cause, summary.entries, summary.complete],
    ['inc_1', 'Shöp (mon_1)', 'HTTP 503', 2, true],
  )
  assert.equal(claimedInstallation(FILE), 'https://up.example')
})

test('every byte: changed by one bit, by case, replaced or removed, it is found', () => {
  for (let at = 0; at < FILE.length; at++) {
    const byte = FILE[at] ?? 0
    for (const changed of [byte ^ 1, byte ^ 0x20, byte ^ 0x80, 0x20, 0x0a, 0]) {
      if (changed === byte) continue
      const file = Buffer.from(FILE)
      file[at] = changed
      assert.equal(verifyEvidence(file, KEY).isGenuine, false, `byte ${at} as ${changed}`)
    }
    const without = Buffer.concat([FILE.subarray(0, at), FILE.subarray(at + 1)])
    assert.equal(verifyEvidence(without, KEY).isGenuine, false, `without byte ${at}`)
    const doubled = Buffer.concat([
      FILE.subarray(0, at),
      FILE.subarray(at, at + 1),
      FILE.subarray(at),
    ])
    assert.equal(verifyEvidence(doubled, KEY).isGenuine, false, `byte ${at} twice`)
  }
})

test('a downloaded file is still genuine, and every byte of it counts', () => {
  const real = readFileSync(new URL('../../test/outage.upvane-evidence', import.meta.url))
  const found = verifyEvidence(real, REAL_KEY)
  assert.ok(found.isGenuine)
  assert.deepEqual([found.summary.monitor.slice(0, 4), found.summary.entries], ['Blog', 7])
  for (let at = 0; at < real.length; at++) {
    const file = Buffer.from(real)
    file[at] = (file[at] ?? 0) ^ (1 << (at % 8))
    assert.equal(verifyEvidence(file, REAL_KEY).isGenuine, false, `byte ${at}`)
  }
})

const lines = FILE.toString().split('\n').slice(0, -1)
const joined = (...some: (string | undefined)[]) => Buffer.from(`${some.join('\n')}\n`)

// biome-ignore format: a table is read by its rows
const FORGERIES: [what: string, file: Buffer, fault: RegExp][] = [
  ['a line is left out',            joined(lines[0], lines[2], lines[3]),            /line 1 or line 2/],
  ['lines change places',           joined(lines[0], lines[2], lines[1], lines[3]),  /line 1 or line 2/],
  ['the signature is left out',     joined(lines[0], lines[1], lines[2]),            /not signed/],
  ['something is appended',         Buffer.concat([FILE, Buffer.from('{}\n')]),      /line 4 or line 5/],
  ['an empty line is appended',     Buffer.concat([FILE, Buffer.from('\n')]),        /line 5/],
  ['the last newline is cut',       FILE.subarray(0, -1),                            /not an evidence file/],
  ['it is empty',                   Buffer.alloc(0),                                 /not an evidence file/],
  ['it is something else',          Buffer.from('hello\n'),                          /not an evidence file/],
  ['the header is a list',          Buffer.from('[]\n{}\n'),                         /not an evidence file/],
  ['signed with another key',       write(HEADER, ENTRIES, other),                   /signature is wrong/],
  ['with a key of its own',         write({ ...HEADER, publicKey: keyOf(other) }, ENTRIES, other), /another key/],
  ['of another format',             write({ ...HEADER, format: 'upvane-evidence/2' }, ENTRIES), /not an evidence file/],
  ['with a space in the last line', Buffer.from(FILE.toString().replace('"kind":"SIGNATURE"', '"kind": "SIGNATURE"')), /last line/],
]
for (const [what, file, expected] of FORGERIES)
  test(`not genuine: ${what}`, () => {
    const found = verifyEvidence(file, KEY)
    assert.ok(!found.isGenuine)
    assert.match(found.fault, expected)
  })

// biome-ignore format: a table is read by its columns
const KEYS: [text: string, isKey: boolean][] = [
  [KEY,                    true],
  [` ${KEY}\n`,            true],
  [KEY.slice(1),           false],
  [`${KEY}A`,              false],
  ['',                     false],
  ['not a key',            false],
]
for (const [text, isKey] of KEYS)
  test(`toPublicKey: ${JSON.stringify(text)}`, () =>
    assert.equal(toPublicKey(text) !== undefined, isKey))
