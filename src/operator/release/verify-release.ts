// `upvane verify-release`: whether the files in a directory are what the maintainers released. Needs no network, no
// database and no settings.
import { createHash } from 'node:crypto'
import { createReadStream, existsSync, readdirSync, readFileSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { pipeline } from 'node:stream/promises'
import {
  type MinisignKey,
  type MinisignProblem,
  readMinisignKey,
  verifyMinisign,
} from '../../platform/crypto/minisign.ts'
import type { CommandContext } from '../cli/command.ts'
import { required, UsageError } from '../cli/flags.ts'

const SUMS = 'SHA256SUMS'
const SIGNATURE = `${SUMS}.minisig`
// A release has about ten files; what is larger is none of ours.
const MAX_SUMS_BYTES = 65_536
const LINE = /^([0-9a-f]{64}) [ *]([\w@+-][\w.@+-]{0,200})$/
const COMMENT = /^upvane (\d{1,4}\.\d{1,4}\.\d{1,4}) ([0-9a-f]{40})$/

export type VerifiedRelease = {
  /** As signed; undefined if the signature proves nothing. */
  version: string | undefined
  commit: string | undefined
  verified: string[]
  /** Part of the release, but not in the directory. */
  absent: string[]
  problems: string[]
}

const SIGNATURE_PROBLEMS: Record<MinisignProblem, string> = {
  UNREADABLE: `${SIGNATURE} is not a signature of minisign. Download it again.`,
  OTHER_KEY: `${SIGNATURE} was made with another key than yours. Do not install this release, unless the maintainers announced a new key.`,
  OTHER_CONTENT: `${SUMS} is not what was signed. Do not install this release; download both files again.`,
  OTHER_COMMENT: `The signed comment in ${SIGNATURE} was changed. Do not install this release; download it again.`,
}

export async function verifyReleaseCommand({
  args: [folder = ''],
  flags,
}: CommandContext): Promise<VerifiedRelease> {
  const directory = resolve(folder)
  if (!existsSync(directory) || !statSync(directory).isDirectory())
    throw new UsageError(
      `${folder} is not a directory. Name the one with the files of the release.`,
    )
  const expected = flags['release']
  const outcome = await verifyRelease(directory, readKey(required(flags, 'key')))
  if (typeof expected === 'string' && outcome.version !== undefined && outcome.version !== expected)
    outcome.problems.push(`This is release ${outcome.version}, not ${expected}.`)
  return outcome
}

function readKey(given: string): MinisignKey {
  const text = existsSync(given) ? readFileSync(given, 'utf8') : given
  const key = readMinisignKey(text)
  if (key === undefined)
    throw new UsageError('--key must be a public key of minisign, or the file that has it.')
  return key
}

async function verifyRelease(directory: string, key: MinisignKey): Promise<VerifiedRelease> {
  const outcome: VerifiedRelease = {
    version: undefined,
    commit: undefined,
    verified: [],
    absent: [],
    problems: [],
  }
  const sums = readBounded(directory, SUMS, outcome.problems)
  const signature = readBounded(directory, SIGNATURE, outcome.problems)
  if (sums === undefined || signature === undefined) return outcome
  const signed = verifyMinisign(sums, signature.toString('utf8'), key)
  if ('problem' in signed) {
    outcome.problems.push(SIGNATURE_PROBLEMS[signed.problem])
    return outcome
  }
  const [, version, commit] = COMMENT.exec(signed.comment) ?? []
  if (version === undefined)
    outcome.problems.push(`${SIGNATURE} does not say which release it signs.`)
  return { ...outcome, version, commit, ...(await compare(directory, sums, outcome.problems)) }
}

async function compare(directory: string, sums: Buffer, problems: string[]) {
  const lines = sums.toString('utf8').split('\n').filter(Boolean)
  const expected = new Map(
    lines.flatMap((line) => {
      const [, hash, name] = LINE.exec(line) ?? []
      if (hash !== undefined && name !== undefined) return [[name, hash] as const]
      problems.push(`${SUMS} has a line that is not a checksum.`)
      return []
    }),
  )
  const present = readdirSync(directory, { withFileTypes: true })
  for (const entry of present)
    if (!expected.has(entry.name) && entry.name !== SUMS && entry.name !== SIGNATURE)
      problems.push(`${entry.name} is not part of the release. Move it elsewhere, or delete it.`)
  const verified: string[] = []
  for (const entry of present) {
    const hash = expected.get(entry.name)
    if (hash === undefined) continue
    if (entry.isFile() && (await hashOf(join(directory, entry.name))) === hash)
      verified.push(entry.name)
    else
      problems.push(`${entry.name} is not what was released. Do not install it; download it again.`)
  }
  const names = new Set(present.map(({ name }) => name))
  const absent = [...expected.keys()].filter((name) => !names.has(name))
  if (verified.length === 0 && problems.length === 0)
    problems.push('No file of the release is in the directory.')
  return { verified, absent, problems }
}

function readBounded(directory: string, name: string, problems: string[]): Buffer | undefined {
  const path = join(directory, name)
  const stats = statSync(path, { throwIfNoEntry: false })
  if (stats === undefined) problems.push(`${name} is missing. Download it into the same directory.`)
  else if (!stats.isFile() || stats.size > MAX_SUMS_BYTES)
    problems.push(`${name} is not a file of a release: it is too large, or no file.`)
  else return readFileSync(path)
  return undefined
}

async function hashOf(path: string): Promise<string> {
  const hash = createHash('sha256')
  await pipeline(createReadStream(path), hash)
  return hash.digest('hex')
}

export function formatVerified(outcome: VerifiedRelease): string {
  const { version, commit, verified, absent, problems } = outcome
  const lines = [
    ...problems.map((problem) => `FAILED    ${problem}`),
    ...verified.map((name) => `verified  ${name}`),
    ...absent.map((name) => `not here  ${name}`),
  ]
  const release = `Upvane ${version}, commit ${commit}`
  if (problems.length === 0) lines.push('', `${release}: ${verified.length} files are as released.`)
  return `${lines.join('\n')}\n`
}
