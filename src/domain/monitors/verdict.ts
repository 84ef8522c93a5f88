// What a finished check means for its monitor: the finding, judged by its settings.
import { addSample, type DegradedRule, isDegraded } from './degraded.ts'

export type Verdict = 'PASSED' | 'SLOW' | 'FAILED' | 'INCONCLUSIVE'

export type VerdictRule = DegradedRule & { type: string; sslExpiryThresholdDays: number }

/** `expiresAt`: of the certificate (SSL, HTTP, KEYWORD) or of the registration (DOMAIN). */
export type VerdictInput =
  | {
      result: 'OK'
      responseMs: number | null
      sampled: boolean
      expiresAt: Date | null
      /** It failed in some regions, but not in as many as make it DOWN. */
      isPartlyDown?: boolean
    }
  | { result: 'FAILED' }
  | { result: 'INCONCLUSIVE' }

/**
 * `samplesMs` are the monitor's samples after the check. `cause` is set if the failure was found here and not by the
 * probe.
 */
type Judgement = {
  verdict: Verdict
  samplesMs: readonly number[]
  cause?: 'CERT_EXPIRED' | 'DOMAIN_EXPIRED'
}

const DAY_MS = 86_400_000

export function judge(
  rule: VerdictRule,
  finding: VerdictInput,
  samplesMs: readonly number[],
  now: Date,
): Judgement {
  if (finding.result === 'INCONCLUSIVE') return { verdict: 'INCONCLUSIVE', samplesMs }
  // Times from before an outage say nothing about the recovered service.
  if (finding.result === 'FAILED') return { verdict: 'FAILED', samplesMs: [] }

  const judged = judgePassed(rule, finding, samplesMs, now)
  return finding.isPartlyDown && judged.verdict === 'PASSED'
    ? { ...judged, verdict: 'SLOW' }
    : judged
}

function judgePassed(
  rule: VerdictRule,
  finding: VerdictInput & { result: 'OK' },
  samplesMs: readonly number[],
  now: Date,
): Judgement {
  if (rule.type === 'SSL' || rule.type === 'DOMAIN')
    return judgeExpiry(rule, finding.expiresAt, now)
  const samples = withSample(rule, finding, samplesMs)
  return { verdict: isDegraded(rule, samples) ? 'SLOW' : 'PASSED', samplesMs: samples }
}

function judgeExpiry(rule: VerdictRule, expiresAt: Date | null, now: Date): Judgement {
  if (expiresAt === null) return { verdict: 'PASSED', samplesMs: [] }
  if (expiresAt <= now) {
    const cause = rule.type === 'SSL' ? 'CERT_EXPIRED' : 'DOMAIN_EXPIRED'
    return { verdict: 'FAILED', samplesMs: [], cause }
  }
  return { verdict: isExpiring(rule, expiresAt, now) ? 'SLOW' : 'PASSED', samplesMs: [] }
}

export type ExpiryNotice = { expiresAt: Date; daysLeft: number }

/**
 * The notice for `monitor.ssl_expiring` or `monitor.domain_expiring`, due once per date: `notifiedFor` is the date of
 * the last notice.
 */
export function expiryNotice(
  rule: { sslExpiryThresholdDays: number },
  expiresAt: Date | null,
  notifiedFor: Date | null,
  now: Date,
): ExpiryNotice | undefined {
  if (expiresAt === null || expiresAt.getTime() === notifiedFor?.getTime()) return undefined
  if (!isExpiring(rule, expiresAt, now)) return undefined
  const daysLeft = Math.floor((expiresAt.getTime() - now.getTime()) / DAY_MS)
  return { expiresAt, daysLeft: Math.max(0, daysLeft) }
}

/** Whether the warning before expiry is due. */
export function isExpiring(
  { sslExpiryThresholdDays }: { sslExpiryThresholdDays: number },
  expiresAt: Date,
  now: Date,
): boolean {
  return expiresAt.getTime() - now.getTime() <= sslExpiryThresholdDays * DAY_MS
}

function withSample(
  rule: VerdictRule,
  { sampled, responseMs }: VerdictInput & { result: 'OK' },
  samplesMs: readonly number[],
) {
  return sampled && responseMs !== null ? addSample(rule, samplesMs, responseMs) : samplesMs
}
