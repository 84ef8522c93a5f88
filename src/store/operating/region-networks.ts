// The networks that probes of a region announced: a region name stands for one place.
import type { RegionNetwork } from '../../domain/operating/region-networks.ts'
import { type Db, sql } from '../core/db.ts'

const MAX_RECORDED = 5_000
const MAX_OF_REGION = 200
const MAX_READ = 20_000

// Several schedulers hear the same probes: one writes, the others find a recent row.
const RECORD = sql`
  insert into region_networks as n (region, network)
  select distinct * from unnest($1::text[], $2::text[]) as u (region, network)
  on conflict (region, network) do update set last_seen_at = now()
   where n.last_seen_at < now() - interval '1 hour'`
const DELETE_OLD = sql`
  delete from region_networks where last_seen_at < now() - interval '90 days'`
const DELETE_EXCESS = sql`
  delete from region_networks d
   using (select region, network, row_number() over (partition by region order by last_seen_at desc, network) as place
            from region_networks) r
   where d.region = r.region and d.network = r.network and r.place > $1`
const FIND = sql`
  select region, network, first_seen_at as "firstSeenAt" from region_networks
   where region = any ($1::text[]) limit $2`

/** What is known of the announced regions, with what they announce now. */
export async function recordRegionNetworks(
  db: Db,
  announced: ReadonlyMap<string, ReadonlySet<string>>,
): Promise<RegionNetwork[]> {
  const pairs = [...announced].flatMap(([region, networks]) =>
    [...networks].map((network) => ({ region, network })),
  )
  const rows = pairs.slice(0, MAX_RECORDED)
  if (rows.length === 0) return []
  await db.query(RECORD, [rows.map(({ region }) => region), rows.map(({ network }) => network)])
  await db.query(DELETE_OLD)
  await db.query(DELETE_EXCESS, [MAX_OF_REGION])
  return db.query<RegionNetwork>(FIND, [[...announced.keys()], MAX_READ])
}
