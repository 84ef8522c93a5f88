// Custom domains of status pages, for the engine: which are due for a check, and the results.
import type { OwnedDomain, Settlement } from '../../domain/status-pages/custom-domain.ts'
import { type Db, sql, type Tx } from '../core/db.ts'
import { isUniqueViolation } from '../core/unique-violation.ts'

export type DomainRow = OwnedDomain & { domain: string }

const columns = sql`
  id as "pageUuid", custom_domain as domain, custom_domain_status as status,
  custom_domain_checked_at as "checkedAt", updated_at as "changedAt", custom_domain_failed_at as "failedAt"`

// Random order: a domain that stays due must not starve the others.
const LIST_DUE = sql`
  select ${columns} from status_pages
   where custom_domain is not null
     and (custom_domain_status = 'PENDING' or custom_domain_checked_at is null
       or custom_domain_checked_at < now() - case custom_domain_status
            when 'ACTIVE' then interval '6 hours' else interval '1 hour' end)
   order by random() limit $1`

export function listDueDomains(db: Db, limit: number): Promise<DomainRow[]> {
  return db.query<DomainRow>(LIST_DUE, [limit])
}

const FIND_ACTIVE = sql`select domain from find_active_domains($1) as domain`

/** Returns those of the names that are active custom domains, in any organization. */
export async function findActiveDomains(db: Db, names: readonly string[]): Promise<string[]> {
  const rows = await db.query<{ domain: string }>(FIND_ACTIVE, [names])
  return rows.map(({ domain }) => domain)
}

const LOCK = sql`
  select ${columns} from status_pages where id = $1 and custom_domain = $2 for no key update`

/** Undefined if the page has another domain by now or was deleted. */
export async function lockDomain(
  tx: Tx,
  pageUuid: string,
  domain: string,
): Promise<DomainRow | undefined> {
  const [row] = await tx.query<DomainRow>(LOCK, [pageUuid, domain])
  return row
}

const IS_SERVED = sql`
  select 1 as one from status_pages
   where custom_domain = $1 and custom_domain_status = 'ACTIVE' and id <> $2`

export async function isServedElsewhere(
  tx: Tx,
  pageUuid: string,
  domain: string,
): Promise<boolean> {
  return (await tx.query(IS_SERVED, [domain, pageUuid])).length > 0
}

const SAVE = sql`
  update status_pages
     set custom_domain_status = $2, custom_domain_checked_at = $3,
         custom_domain_failed_at = case when $2 = 'FAILED' then coalesce(custom_domain_failed_at, $3) end
   where id = $1`
const RELEASE = sql`
  update status_pages
     set custom_domain = null, custom_domain_status = 'NONE', custom_domain_checked_at = null,
         custom_domain_failed_at = null, updated_at = $2
   where id = $1`

/** False if another page was activated in the meantime. The transaction is aborted then. */
export async function saveDomain(
  tx: Tx,
  pageUuid: string,
  { status, checkedAt }: Settlement,
): Promise<boolean> {
  try {
    if (status === 'NONE') await tx.query(RELEASE, [pageUuid, checkedAt])
    else await tx.query(SAVE, [pageUuid, status, checkedAt])
    return true
  } catch (error) {
    if (!isUniqueViolation(error)) throw error
    return false
  }
}
