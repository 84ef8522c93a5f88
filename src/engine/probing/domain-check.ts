// Checks in small batches whether the DNS records of custom domains prove that they belong to their status page.
import { settleDomain } from '../../actions/status-pages/settle-domain.ts'
import { type Proof, proofRecord } from '../../domain/status-pages/custom-domain.ts'
import { type Outbound, openOutboundConnection } from '../../outbound/outbound-connection.ts'
import { OutboundError } from '../../outbound/outbound-error.ts'
import type { Log } from '../../platform/observability/log.ts'
import type { Database } from '../../store/core/db.ts'
import { type DomainRow, listDueDomains } from '../../store/status-pages/domains.ts'

type DomainCheckDeps = {
  database: Database
  log: Log
  /** If undefined, nothing is looked up and every domain keeps its state. */
  outbound?: Outbound | undefined
  stopping(): boolean
}

const DOMAINS_A_ROUND = 200
const AT_ONCE = 10
const LOOKUP_MS = 3_000

export async function checkDomains(deps: DomainCheckDeps): Promise<void> {
  const { database, outbound } = deps
  if (outbound === undefined) return
  const waiting = await listDueDomains(database, DOMAINS_A_ROUND)
  const workers = Array.from({ length: AT_ONCE }, async () => {
    for (let row = waiting.pop(); row !== undefined && !deps.stopping(); row = waiting.pop())
      await checkDomain(deps, outbound, row)
  })
  await Promise.all(workers)
}

async function checkDomain(
  { database, log }: DomainCheckDeps,
  outbound: Outbound,
  row: DomainRow,
): Promise<void> {
  const settled = await settleDomain(database, row, await lookUp(outbound, row))
  if (settled === undefined || settled.before === settled.after) return
  log.info({ domain: row.domain, ...settled }, 'custom domain settled')
}

async function lookUp(outbound: Outbound, { domain, pageUuid }: DomainRow): Promise<Proof> {
  const { name, value } = proofRecord(domain, pageUuid)
  try {
    const values = await openOutboundConnection(outbound, AbortSignal.timeout(LOOKUP_MS)).query(
      name,
      'TXT',
    )
    return values.some((text) => text.trim() === value) ? 'SEEN' : 'ABSENT'
  } catch (error) {
    if (!(error instanceof OutboundError)) throw error
    return error.code === 'NAME_NOT_FOUND' ? 'ABSENT' : 'UNKNOWN'
  }
}
