// An incident as one file: a header and a line for each check, observation and entry of its timeline, as JSON. Each line
// names the hash of the line before, and the last line signs all of them, so no byte can be changed unnoticed.
import { createHash } from 'node:crypto'

const EVIDENCE_FORMAT = 'upvane-evidence/1'

type EvidenceHeader = {
  installation: string
  keyId: string
  publicKey: string
  createdAt: Date
  organization: { id: string; name: string }
  monitor: { id: string; name: string; type: string; target: string | null }
  incident: Readonly<Record<string, unknown>>
  /** False if not all of its checks are in the file: they are too many, or were deleted by age. */
  complete: boolean
}

/** `kind` says what it is: a stored result, what a check saw in full, or an entry of the timeline. */
export type EvidenceLine = {
  kind: 'CHECK' | 'OBSERVATION' | 'TIMELINE'
  at: Date
  data: Readonly<Record<string, unknown>>
}

/** `sign` returns a signature of the bytes, in base64url. */
export function toEvidenceFile(
  header: EvidenceHeader,
  entries: readonly EvidenceLine[],
  sign: (bytes: Buffer) => string,
): string {
  const lines = [`${JSON.stringify({ format: EVIDENCE_FORMAT, ...header })}\n`]
  for (const { kind, at, data } of entries)
    lines.push(`${JSON.stringify({ previous: hashOf(lines.at(-1)), kind, at, data })}\n`)
  const signed = lines.join('')
  const last = {
    previous: hashOf(lines.at(-1)),
    kind: 'SIGNATURE',
    lines: lines.length,
    signature: sign(Buffer.from(signed)),
  }
  return `${signed}${JSON.stringify(last)}\n`
}

const hashOf = (line: string | undefined): string =>
  createHash('sha256')
    .update(line ?? '')
    .digest('hex')

/** Without user info and query, which may hold secrets: the file is made for others. */
export function publicTarget(url: string | null, host: string | null): string | null {
  const parsed = URL.parse(url ?? '')
  if (parsed === null || parsed.host === '') return host ?? hostOf(url)
  return `${parsed.origin}${parsed.pathname}`
}

/** Of DNS, SSL and DOMAIN monitors, whose address may be a bare name. */
function hostOf(url: string | null): string | null {
  const [host = ''] = (url ?? '').split('/', 1)
  return host === '' || host.includes('@') ? null : host
}
