// A trial check of a monitor that is not saved yet. Only an audit log entry is kept.
import { randomUUID } from 'node:crypto'
import type { RequestTrial, TrialResponse } from '../../actions/monitors/request-check.ts'
import { limitRequests } from '../../actions/people/limit-tries.ts'
import * as contract from '../../contract/private/try-monitor.ts'
import { type EvidenceInput, toEvidence } from '../../domain/incidents/evidence.ts'
import type { Problem } from '../../domain/values/problem.ts'
import { subjectOf } from '../../store/people/sign-in-windows.ts'
import { type BoundOperation, bind, type Handler } from '../http/bind.ts'
import { toApiEvidence } from '../public/incidents.ts'
import { createRules, toSettings } from '../public/monitors.ts'

// Per organization in 15 minutes: setting up monitors by hand takes fewer.
const MAX_TRIALS = 100

export function tryMonitorOperation(requestTrial: RequestTrial): BoundOperation {
  const handle: Handler<typeof contract.tryMonitor> = async ({ body }, { caller, people }) => {
    const subject = subjectOf('trial', caller.orgId)
    await limitRequests(people, [{ subject, limit: MAX_TRIALS }])
    const trial = await requestTrial({ orgId: caller.orgId, draft: toSettings(body) })
    return toTrialResult(trial)
  }
  return bind(contract.tryMonitor, handle, { rules: trialRules })
}

export function toTrialResult(trial: TrialResponse | undefined) {
  if (trial === undefined) throw new Error('Nobody could look')
  const evidence = toEvidence(randomUUID(), toCheckEvidence(trial))
  return { result: trial.result, check: toApiEvidence(evidence) }
}

export function trialRules(body: Record<string, unknown>): Problem[] {
  if (body['type'] === 'CRON')
    return [{ path: 'type', message: 'must not be CRON: it waits to be called' }]
  return createRules(body)
}

function toCheckEvidence({ facts }: TrialResponse): EvidenceInput {
  const { checkedAt, certExpiresAt, attempts, ...rest } = facts
  return {
    ...rest,
    checkedAt: new Date(checkedAt),
    certExpiresAt: certExpiresAt === null ? null : new Date(certExpiresAt),
    attempts: attempts.map(({ startedAt, ...attempt }) => ({
      ...attempt,
      startedAt: new Date(startedAt),
    })),
  }
}
