// Checks an evidence file without the service. Lines are JSON; each names the hash of the line before, and the last one
// signs all others. Nothing of the file is believed before its signature is checked with a key from elsewhere.
import { createHash, createPublicKey, verify } from 'node:crypto'

export type EvidenceSummary = {
  installation: string
  keyId: string
  createdAt: string
  incidentId: string
  monitor: string
  startedAt: string
  resolvedAt: string | null
  cause: string
  complete: boolean
  /** Checks, observations and entries of the timeline. */
  entries: number
}

type Verification =
  | { isGenuine: true; summary: EvidenceSummary }
  | { isGenuine: false; fault: string }

const FORMAT = 'upvane-evidence/1'
const KEY_BYTES = 32
const NEWLINE = 0x0a

/** Undefined unless it is 32 bytes in base64url. */
export function toPublicKey(text: string): string | undefined {
  const bytes = Buffer.from(text.trim(), 'base64url')
  const isKey = bytes.length === KEY_BYTES && bytes.toString('base64url') === text.trim()
  return isKey ? text.trim() : undefined
}

/** Whose file it claims to be. Not verified: only for finding the key that was pinned. */
export function claimedInstallation(bytes: Buffer): string | undefined {
  const [first] = splitLines(bytes) ?? []
  const { installation } = parse(first) ?? {}
  return typeof installation === 'string' ? installation : undefined
}

export function verifyEvidence(bytes: Buffer, publicKey: string): Verification {
  const lines = splitLines(bytes)
  const [first] = lines ?? []
  const header = parse(first)
  if (
    lines === undefined ||
    lines.length < 2 ||
    header === undefined ||
    header['format'] !== FORMAT
  )
    return fault('it is not an evidence file, or its beginning or end was changed.')
  if (header['publicKey'] !== publicKey)
    return fault('it names another key than the one given or pinned.')
  const broken = brokenChain(lines)
  if (broken !== undefined) return fault(broken)
  const problem = signatureProblem(bytes, lines, publicKey)
  if (problem !== undefined) return fault(problem)
  return { isGenuine: true, summary: summaryOf(header, lines.length - 2) }
}

const fault = (text: string): Verification => ({ isGenuine: false, fault: text })

/** With their newlines. Undefined if the last one has none. */
function splitLines(bytes: Buffer): Buffer[] | undefined {
  if (bytes.at(-1) !== NEWLINE) return undefined
  const lines: Buffer[] = []
  for (let from = 0; from < bytes.length; ) {
    const to = bytes.indexOf(NEWLINE, from) + 1
    lines.push(bytes.subarray(from, to))
    from = to
  }
  return lines
}

type Fields = Readonly<Record<string, unknown>>

function parse(line: Buffer | undefined): Fields | undefined {
  try {
    const value: unknown = JSON.parse(line?.toString('utf8') ?? '')
    const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
    return isObject ? (value as Fields) : undefined
  } catch {
    return undefined
  }
}

/** The first line that does not name the hash of the one before. */
function brokenChain(lines: readonly Buffer[]): string | undefined {
  for (let at = 1; at < lines.length; at++) {
    const line = parse(lines[at])
    if (line === undefined) return `line ${at + 1} was changed.`
    if (line['previous'] !== hashOf(lines[at - 1]))
      return `line ${at} or line ${at + 1} was changed, added or removed.`
  }
  return undefined
}

const hashOf = (line: Buffer | undefined): string =>
  createHash('sha256')
    .update(line ?? '')
    .digest('hex')

/** The last line must also be exactly as it was written: other bytes could mean the same signature. */
function signatureProblem(
  bytes: Buffer,
  lines: readonly Buffer[],
  publicKey: string,
): string | undefined {
  const last = lines.at(-1)
  const { signature } = parse(last) ?? {}
  if (last === undefined || typeof signature !== 'string') return 'it is not signed.'
  const decoded = Buffer.from(signature, 'base64url')
  const written = {
    previous: hashOf(lines.at(-2)),
    kind: 'SIGNATURE',
    lines: lines.length - 1,
    signature: decoded.toString('base64url'),
  }
  if (!last.equals(Buffer.from(`${JSON.stringify(written)}\n`))) return 'its last line was changed.'
  const key = createPublicKey({
    key: { kty: 'OKP', crv: 'Ed25519', x: publicKey },
    format: 'jwk',
  })
  const signed = bytes.subarray(0, bytes.length - last.length)
  return verify(null, signed, key, decoded) ? undefined : 'its signature is wrong.'
}

function summaryOf(header: Fields, entries: number): EvidenceSummary {
  const incident = header['incident'] as Fields
  const monitor = header['monitor'] as Fields
  return {
    installation: String(header['installation']),
    keyId: String(header['keyId']),
    createdAt: String(header['createdAt']),
    incidentId: String(incident['id']),
    monitor: `${String(monitor['name'])} (${String(monitor['id'])})`,
    startedAt: String(incident['startedAt']),
    resolvedAt: incident['resolvedAt'] === null ? null : String(incident['resolvedAt']),
    cause: String(incident['cause']),
    complete: header['complete'] === true,
    entries,
  }
}
