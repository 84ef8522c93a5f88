// Public addresses at which monitors that work were reached from a region, for asking whether its network works.
import type { ReachedAddress } from '../../domain/monitors/egress-doubt.ts'
import { type Db, sql } from '../core/db.ts'

const MAX_ORGANIZATIONS = 50
const MAX_OF_ONE = 10

// Organizations are found one after the other by the index, so that no large one hides the others. Each gives one address
// of a network.
const FIND = sql`
  with recursive place as (select no from regions where name = $1),
  found (org_id, number) as (
    (select p.org_id, 1 from region_proofs p, place
      where p.region = place.no and p.org_id >= $2
        and p.passed_at is not null and p.port is not null and not p.is_private
      order by p.org_id limit 1)
    union all
    select (select p.org_id from region_proofs p, place
             where p.region = place.no and p.org_id > f.org_id
               and p.passed_at is not null and p.port is not null and not p.is_private
             order by p.org_id limit 1), f.number + 1
      from found f where f.org_id is not null and f.number < $3
  )
  select f.org_id as "orgId", a.address, a.port
    from found f
   cross join lateral (
     select distinct on (network) network(set_masklen(p.address::inet, case family(p.address::inet) when 4 then 24 else 48 end))
              as network, p.address, p.port
       from region_proofs p
       join monitor_states s on s.monitor_no = p.monitor_no and s.state in ('UP', 'DEGRADED')
      where p.region = (select no from place) and p.org_id = f.org_id
        and p.passed_at is not null and p.port is not null and not p.is_private and p.address is not null
      order by network, p.passed_at desc
      limit $4) a
   order by f.org_id`

export const FIRST_ORGANIZATION = '00000000-0000-0000-0000-000000000000'

/** `from`: the organization at which the search begins; `next`: at which the next one should. */
export async function findReachedAddresses(
  db: Db,
  region: string,
  from: string,
): Promise<{ reached: ReachedAddress[]; next: string }> {
  const find = (start: string) =>
    db.query<ReachedAddress>(FIND, [region, start, MAX_ORGANIZATIONS, MAX_OF_ONE])
  const found = await find(from)
  const known = new Set(found.map(({ orgId }) => orgId))
  const last = found.at(-1)?.orgId
  if (known.size >= MAX_ORGANIZATIONS && last !== undefined) return { reached: found, next: last }
  const before = from === FIRST_ORGANIZATION ? [] : await find(FIRST_ORGANIZATION)
  const others = before.filter(({ orgId }) => !known.has(orgId))
  return { reached: [...found, ...others], next: FIRST_ORGANIZATION }
}
