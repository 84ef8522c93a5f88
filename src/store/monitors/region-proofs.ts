// Which regions have seen a monitor's target work.
import type { RegionProof } from '../../domain/regions/reach.ts'
import { rowsOf } from '../core/columns.ts'
import { type Db, sql } from '../core/db.ts'
import type { Tenant } from '../core/tenants.ts'

/** Instants in milliseconds. */
type StoredProof = Omit<RegionProof, 'passedAt' | 'decidedAt' | 'triedAt' | 'lostAt'> &
  Record<'passedAt' | 'decidedAt' | 'triedAt' | 'lostAt', number | null>
export type StoredProofs = StoredProof[] | null

const ms = (column: string) => ({ text: `(extract(epoch from p.${column}) * 1000)::bigint` })

/** Of the monitor `m`. */
export const proofsOfMonitor = sql`
  (select json_agg(json_build_object('region', g.name, 'passedAt', ${ms('passed_at')},
            'decidedAt', ${ms('decided_at')}, 'triedAt', ${ms('tried_at')}, 'lostAt', ${ms('lost_at')},
            'address', p.address, 'port', p.port, 'isPrivate', p.is_private))
     from region_proofs p join regions g on g.no = p.region where p.monitor_no = m.no)`

const NONE: RegionProof[] = []

export function toProofs(stored: StoredProofs): RegionProof[] {
  if (stored === null) return NONE
  return stored.map(({ passedAt, decidedAt, triedAt, lostAt, ...where }) => ({
    ...where,
    passedAt: toDate(passedAt),
    decidedAt: toDate(decidedAt),
    triedAt: toDate(triedAt),
    lostAt: toDate(lostAt),
  }))
}

const toDate = (atMs: number | null): Date | null => (atMs === null ? null : new Date(atMs))

/** `epoch`: of the target that was checked. */
export type ProofWrite = { monitorNo: number; epoch: number; proof: RegionProof }

const given = rowsOf<ProofWrite>({
  monitor_no: ['bigint', ({ monitorNo }) => monitorNo],
  epoch: ['integer', ({ epoch }) => epoch],
  region: ['text', ({ proof }) => proof.region],
  passed_at: ['timestamptz', ({ proof }) => proof.passedAt],
  decided_at: ['timestamptz', ({ proof }) => proof.decidedAt],
  tried_at: ['timestamptz', ({ proof }) => proof.triedAt],
  lost_at: ['timestamptz', ({ proof }) => proof.lostAt],
  address: ['text', ({ proof }) => proof.address],
  port: ['integer', ({ proof }) => proof.port],
  is_private: ['boolean', ({ proof }) => proof.isPrivate],
})

// Locked, so that a change of the target waits and then deletes what is written here. A target that changed before has
// another epoch, and learns nothing from the old one. A try and a check of the same region may overlap, each with what it
// read before: the newest pass and the newest loss count.
const WRITE = sql`
  insert into region_proofs as p
         (org_id, monitor_no, region, passed_at, decided_at, tried_at, lost_at, address, port, is_private)
  select s.org_id, s.monitor_no, g.no, u.passed_at, u.decided_at, u.tried_at, u.lost_at, u.address, u.port, u.is_private
    from ${given}
    join monitor_states s on s.monitor_no = u.monitor_no and s.epoch = u.epoch
    join regions g on g.name = u.region
   order by s.monitor_no, g.no
     for share of s
  on conflict (monitor_no, region) do update
     set passed_at = greatest(p.passed_at, excluded.passed_at), decided_at = greatest(p.decided_at, excluded.decided_at),
         tried_at = greatest(p.tried_at, excluded.tried_at), lost_at = nullif(greatest(p.lost_at, excluded.lost_at, p.passed_at, excluded.passed_at),
                          greatest(p.passed_at, excluded.passed_at)), address = excluded.address, port = excluded.port, is_private = excluded.is_private`

export async function writeProofs(db: Db, writes: readonly ProofWrite[]): Promise<void> {
  if (writes.length > 0) await db.query(WRITE, given.values(writes))
}

const FORGET = sql`delete from region_proofs where org_id = $1 and monitor_no = $2`

/** The target has changed: nothing is known of the new one. */
export async function forgetProofs(tenant: Pick<Tenant, 'orgId' | 'query'>, monitorNo: number) {
  await tenant.query(FORGET, [tenant.orgId, monitorNo])
}
