// Addresses of private networks that monitors have: as they are written in them, and where a region reached them, which is
// what their names resolved to there. A name that no region has reached yet says nothing: only a probe can resolve it.
import type { NeededAddress } from '../../domain/operating/private-targets.ts'
import { type Db, sql } from '../core/db.ts'

const MAX_ADDRESSES = 1000
// Only organizations that may have private targets are read, and only addresses of the private ranges.
const FIND = sql`
  with watched as (
    select m.no, m.host, m.url, o.home_region
      from organizations o
      join monitors m on m.org_id = o.id
      join monitor_states s on s.monitor_no = m.no
     where o.private_targets and o.deleted_at is null and m.type <> 'CRON' and s.state <> 'PAUSED')
  select region, address from (
    select home_region as region,
           trim(both '[]' from coalesce(host, substring(url from '(?i)^[a-z]+://([0-9.]+|\\[[0-9a-f:.]+\\])(?:[:/?#]|$)'))) as address
      from watched
     union
    select g.name, p.address
      from watched join region_proofs p on p.monitor_no = watched.no join regions g on g.no = p.region
     where p.passed_at is not null and p.is_private) as found
   where address ~* '^(10|127|192\\.168|172\\.(1[6-9]|2[0-9]|3[01])|169\\.254|100\\.(6[4-9]|[7-9][0-9]|1[01][0-9]|12[0-7]))\\.[0-9.]+$|^(f[cd][0-9a-f]{2}|fe[89ab][0-9a-f]):|^::1$'
   order by region, address limit $1`

export function findPrivateAddresses(db: Db): Promise<NeededAddress[]> {
  return db.query<NeededAddress>(FIND, [MAX_ADDRESSES])
}
