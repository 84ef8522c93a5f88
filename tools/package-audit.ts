// The results of npm's two audits: known vulnerabilities in the product's packages, and registry signatures. A registry
// that does not respond proves nothing and is not a failure.
import { execFile } from 'node:child_process'

type Verdict = { outcome: 'PASSED' | 'FAILED' | 'NOT_ANSWERED'; detail: string }
type Environment = Readonly<Record<string, string | undefined>>

const SERIOUS = new Set(['high', 'critical'])
const TIMEOUT_MS = 120_000
const MAX_OUTPUT_BYTES = 64 * 1024 * 1024
// An unreachable registry must not take minutes.
const PATIENCE = { npm_config_fetch_retries: '1', npm_config_fetch_timeout: '20000' }

/** Only packages installed with the product count: development tools process no external input. */
export async function auditVulnerabilities(environment: Environment): Promise<Verdict> {
  return judgeVulnerabilities(await npm(['audit', '--omit=dev', '--json'], environment))
}

export async function auditSignatures(environment: Environment): Promise<Verdict> {
  return judgeSignatures(await npm(['audit', 'signatures', '--json'], environment))
}

type Report = { vulnerabilities?: Record<string, { severity?: string; range?: string }> }

export function judgeVulnerabilities(output: string): Verdict {
  const report = parse(output) as Report | undefined
  if (report?.vulnerabilities === undefined) return noResponse(report)
  const serious = Object.entries(report.vulnerabilities)
    .filter(([, { severity = '' }]) => SERIOUS.has(severity))
    .map(([name, { severity }]) => `${name} (${severity})`)
  if (serious.length > 0) return { outcome: 'FAILED', detail: serious.join(', ') }
  return { outcome: 'PASSED', detail: 'no high or critical vulnerability in what is installed' }
}

type Signatures = { invalid?: { name: string; version: string }[]; missing?: unknown[] }

export function judgeSignatures(output: string): Verdict {
  const report = parse(output) as Signatures | undefined
  if (!Array.isArray(report?.invalid)) return noResponse(report)
  const invalid = report.invalid.map(({ name, version }) => `${name}@${version}`)
  if (invalid.length > 0)
    return { outcome: 'FAILED', detail: `wrong signature: ${invalid.join(', ')}` }
  // Some mirrors leave out signatures. The hashes in package-lock.json still apply.
  return { outcome: 'PASSED', detail: `no wrong signature, ${report.missing?.length ?? 0} missing` }
}

function noResponse(report: unknown): Verdict {
  const { message, error } = (report ?? {}) as { message?: string; error?: { summary?: string } }
  const detail = error?.summary || message || 'no report'
  return { outcome: 'NOT_ANSWERED', detail: detail.split('\n', 1)[0] ?? '' }
}

function parse(output: string): unknown {
  try {
    return JSON.parse(output)
  } catch {
    return undefined
  }
}

/** The output. Findings and failures both exit with code 1, so the code says nothing. */
function npm(args: readonly string[], environment: Environment): Promise<string> {
  const options = {
    env: { ...PATIENCE, ...environment },
    timeout: TIMEOUT_MS,
    maxBuffer: MAX_OUTPUT_BYTES,
  }
  return new Promise((resolve) => {
    execFile('npm', args, options, (_error, stdout) => resolve(stdout))
  })
}
