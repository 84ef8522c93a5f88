// Evidence files: an incident with its checks, signed.
import * as contract from '../../../contract/private/incidents/evidence.ts'
import {
  type EvidenceLine,
  publicTarget,
  toEvidenceFile,
} from '../../../domain/incidents/evidence-file.ts'
import { toPublicId } from '../../../domain/values/id.ts'
import { notFound } from '../../../platform/api-error.ts'
import type { MasterKeys } from '../../../platform/crypto/encryption.ts'
import { signEvidence } from '../../../platform/crypto/evidence-key.ts'
import type { Tenant } from '../../../store/core/tenants.ts'
import { type CheckRecord, listChecks } from '../../../store/history/check-log.ts'
import { EvidenceKeys } from '../../../store/incidents/evidence-keys.ts'
import { findIncident, type IncidentDetailRecord } from '../../../store/incidents/incidents.ts'
import { listObservations, type StoredObservation } from '../../../store/incidents/timeline.ts'
import { findMonitor } from '../../../store/monitors/monitors.ts'
import { findOrganizationName } from '../../../store/people/organizations.ts'
import { findMonitorNo } from '../../../store/views/monitor-list.ts'
import { type BoundOperation, bind, type Handler } from '../../http/bind.ts'
import { toApiEvidence, toApiIncidentWithCause } from '../../public/incidents.ts'

const MAX_CHECKS = 4_000
// The checks before an outage show that the target was reachable from here.
const BEFORE_MS = 10 * 60_000
const DAY_MS = 86_400_000

type EvidenceOptions = { masterKeys: MasterKeys; resultRetentionDays: number }

export function evidenceOperations(options: EvidenceOptions): readonly BoundOperation[] {
  const keys = new EvidenceKeys(options.masterKeys)

  const file: Handler<typeof contract.getEvidenceFile> = async ({ params }, context) => {
    const { tenant, people, baseUrl } = context
    const incident = await findIncident(tenant, params.incidentId)
    const monitor = incident && (await findMonitor(tenant, incident.monitor.uuid))
    const now = monitor && (await findMonitorNo(tenant, monitor.uuid))?.at
    if (!incident || !monitor || !now) throw notFound('incident')
    const key = await keys.get(people)
    const { entries, isAll } = await readEntries(tenant, incident, now)
    const oldestAt = new Date(now.getTime() - options.resultRetentionDays * DAY_MS)
    const detail = toApiIncidentWithCause(incident)
    const header = {
      installation: baseUrl,
      keyId: key.keyId,
      publicKey: key.publicKey,
      createdAt: now,
      organization: {
        id: toPublicId('org', tenant.orgId),
        name: await findOrganizationName(tenant, tenant.orgId),
      },
      monitor: { ...detail.monitor, target: publicTarget(monitor.url, monitor.host) },
      incident: detail,
      complete: isAll && incident.startedAt > oldestAt,
    }
    const text = toEvidenceFile(header, entries, (bytes) => signEvidence(key, bytes))
    return {
      name: `${toPublicId('inc', params.incidentId)}.upvane-evidence`,
      keyId: key.keyId,
      text,
    }
  }

  const publicKey: Handler<typeof contract.getEvidenceKey> = async (_input, context) => {
    const { keyId, publicKey: own } = await keys.get(context.people)
    return { installation: context.baseUrl, algorithm: 'Ed25519', keyId, publicKey: own }
  }

  return [bind(contract.getEvidenceFile, file), bind(contract.getEvidenceKey, publicKey)]
}

async function readEntries(tenant: Tenant, incident: IncidentDetailRecord, now: Date) {
  const { uuid, monitor, startedAt, resolvedAt, timeline } = incident
  const from = new Date(startedAt.getTime() - BEFORE_MS)
  const filter = { from, before: resolvedAt ?? now, limit: MAX_CHECKS + 1 }
  const [checks, observations] = await Promise.all([
    listChecks(tenant, monitor.uuid, filter),
    listObservations(tenant, uuid),
  ])
  const lines = timeline.map(({ type, at, message }) => ({
    kind: 'TIMELINE' as const,
    at,
    data: { type, message },
  }))
  const entries: EvidenceLine[] = [
    ...checks.slice(0, MAX_CHECKS).map(toCheckLine),
    ...observations.map(toObservationLine),
    ...lines,
  ]
  return { entries: entries.toSorted(byTime), isAll: checks.length <= MAX_CHECKS }
}

const byTime = (a: EvidenceLine, b: EvidenceLine): number => a.at.getTime() - b.at.getTime()

function toCheckLine(check: CheckRecord): EvidenceLine {
  const { at, incidentUuid: _, incidentCause: _cause, ...data } = check
  return { kind: 'CHECK', at, data }
}

function toObservationLine({ part, checkedAt, evidence }: StoredObservation): EvidenceLine {
  const data = { part, ...toApiEvidence(evidence) }
  return { kind: 'OBSERVATION', at: checkedAt, data }
}
