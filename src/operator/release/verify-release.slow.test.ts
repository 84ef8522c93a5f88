// Releases signed by the program minisign, and `upvane verify-release` as an operator types it.
import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import {
  makeSignedRelease,
  makeSigningKeys,
  RELEASED_COMMIT,
} from '../../../test/kit/signed-release.ts'
import { COMPILE_CACHE } from '../../../tools/compile-cache.ts'

const MAIN = join(import.meta.dirname, '../../main.ts')
const ARCHIVE = 'upvane-0.2.0-linux-x64.tar.gz'
const FILES = [ARCHIVE, 'upvane-sdk-0.2.0.tgz', 'provenance.json']
const home = mkdtempSync(join(tmpdir(), 'upvane-releases-'))
after(() => rmSync(home, { recursive: true }))

const [ours, theirs] = [makeSigningKeys(home, 'ours'), makeSigningKeys(home, 'theirs')]

let count = 0
function makeRelease({ version = '0.2.0', secret = ours.secret, more = [] as string[] } = {}) {
  const directory = join(home, `release-${count++}`)
  makeSignedRelease(directory, FILES, { version, secret, more })
  return directory
}

function verify(directory: string, key = ours.open, ...more: string[]) {
  const args = [MAIN, 'verify-release', directory, '--key', key, ...more]
  const { status, stdout, stderr } = spawnSync(process.execPath, args, {
    encoding: 'utf8',
    env: COMPILE_CACHE,
  })
  return { status, stdout, stderr }
}

for (const [title, more] of [
  ['a signature of today', []],
  ['a signature in the older format', ['-l']],
] as const)
  test(`verify-release: ${title} and all files are accepted, without any setting`, () => {
    const { status, stdout, stderr } = verify(makeRelease({ more: [...more] }))
    assert.equal(status, 0, stdout + stderr)
    assert.match(stdout, new RegExp(`^verified  ${ARCHIVE}$`, 'm'))
    assert.match(
      stdout,
      new RegExp(`Upvane 0.2.0, commit ${RELEASED_COMMIT}: 3 files are as released.`),
    )
  })

test('verify-release: the key itself, instead of its file', () => {
  const [, key = ''] = readFileSync(ours.open, 'utf8').split('\n')
  assert.equal(verify(makeRelease(), key).status, 0)
})

test('verify-release: files that were not downloaded are listed, and are no problem', () => {
  const directory = makeRelease()
  rmSync(join(directory, 'provenance.json'))
  const { status, stdout } = verify(directory)
  assert.equal(status, 0, stdout)
  assert.match(stdout, /^not here {2}provenance\.json$/m)
})

const sumsOf = (directory: string) => join(directory, 'SHA256SUMS')
const signatureOf = (directory: string) => join(directory, 'SHA256SUMS.minisig')
const TAMPERINGS: [title: string, tamper: (directory: string) => void, problem: RegExp][] = [
  [
    'a changed archive',
    (directory) => appendFileSync(join(directory, ARCHIVE), 'x'),
    /upvane-0\.2\.0-linux-x64\.tar\.gz is not what was released/,
  ],
  [
    'a changed archive with its new checksum',
    (directory) => {
      appendFileSync(join(directory, ARCHIVE), 'x')
      writeFileSync(sumsOf(directory), execFileSync('sha256sum', FILES, { cwd: directory }))
    },
    /SHA256SUMS is not what was signed/,
  ],
  [
    'a release that is signed with another key',
    (directory) =>
      copyFileSync(signatureOf(makeRelease({ secret: theirs.secret })), signatureOf(directory)),
    /another key than yours/,
  ],
  [
    'another version in the signed comment',
    (directory) => {
      const text = readFileSync(signatureOf(directory), 'utf8')
      writeFileSync(signatureOf(directory), text.replace('upvane 0.2.0', 'upvane 0.3.0'))
    },
    /signed comment .* was changed/,
  ],
  [
    'a file that was added',
    (directory) => writeFileSync(join(directory, 'install.sh'), 'echo\n'),
    /install\.sh is not part of the release/,
  ],
  [
    'a file that became a link to another one',
    (directory) => {
      renameSync(join(directory, ARCHIVE), join(home, 'moved'))
      symlinkSync(join(home, 'moved'), join(directory, ARCHIVE))
    },
    /is not what was released/,
  ],
  ['no signature', (directory) => rmSync(signatureOf(directory)), /SHA256SUMS\.minisig is missing/],
  [
    'a signature that is none',
    (directory) => writeFileSync(signatureOf(directory), 'RWQ='),
    /is not a signature of minisign/,
  ],
  [
    'a checksum file without an end',
    (directory) => writeFileSync(sumsOf(directory), Buffer.alloc(70_000, 97)),
    /SHA256SUMS is not a file of a release/,
  ],
  [
    'nothing of it',
    (directory) => {
      for (const name of FILES) rmSync(join(directory, name))
    },
    /No file of the release/,
  ],
]
for (const [title, tamper, problem] of TAMPERINGS)
  test(`verify-release 1: ${title}`, () => {
    const directory = makeRelease()
    tamper(directory)
    const { status, stdout } = verify(directory)
    assert.equal(status, 1, stdout)
    assert.match(stdout, problem)
    assert.doesNotMatch(stdout, /are as released/)
  })

test('verify-release 1: an older release, where another one is expected', () => {
  const older = makeRelease({ version: '0.1.0' })
  assert.equal(verify(older).status, 0)
  const { status, stdout } = verify(older, ours.open, '--release', '0.2.0')
  assert.equal(status, 1)
  assert.match(stdout, /This is release 0\.1\.0, not 0\.2\.0\./)
})

test('verify-release 2: no key, no directory', () => {
  assert.match(verify(makeRelease(), 'RWQnonsense').stderr, /must be a public key of minisign/)
  const { status, stderr } = verify(join(home, 'nowhere'))
  assert.equal(status, 2)
  assert.match(stderr, /is not a directory/)
})
