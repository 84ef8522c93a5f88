// What the operator log says about backups.
import type { BackupStatus } from '../../domain/operating/backups.ts'
import { type Db, sql } from '../core/db.ts'

// A dump is older than the line that records it: a restored database shows when it was restored.
const READ = sql`
  select coalesce(bool_or(detail @> '{"scheduled": true}'), false) as "isScheduled",
         extract(epoch from now() - max(at) filter (where action <> 'backup failed'))::float8 as "ageSeconds",
         coalesce(max(at) filter (where action = 'backup failed') > max(at) filter (where action <> 'backup failed'),
                  bool_or(action = 'backup failed'), false) as "hasFailed"
    from operator_log where action in ('backup', 'restore', 'backup failed')`

export async function readBackupStatus(db: Db): Promise<BackupStatus> {
  const [row] = await db.query<BackupStatus>(READ)
  if (row === undefined) throw new Error('The operator log showed nothing')
  return row
}
