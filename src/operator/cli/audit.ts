// The log entry that every changing command writes, in the same transaction as the change.
import type { Db } from '../../store/core/db.ts'
import {
  appendLineAsOwner,
  appendOperatorAudit,
  appendOperatorLine,
  type OperatorLine,
} from '../../store/core/operator-log.ts'
import { operatorName } from './operator-name.ts'

/** The organization's log uses one name per action, whether a member or the operator does it. */
const ACTIONS: Readonly<Record<string, string>> = {
  'key create': 'createKey',
  'key disable': 'updateKey',
  'key revoke': 'revokeKey',
  'org change': 'changePlan',
  'org move export': 'exportForMove',
  'org move freeze': 'freezeForMove',
  'org move import': 'importFromMove',
  'org move undo': 'undoMove',
  'org rename': 'renameOrganization',
  'org set-region': 'changeHomeRegion',
  'person invite': 'inviteMember',
}

type CommandRecord = Omit<OperatorLine, 'operator'>

export async function recordCommand(db: Db, line: CommandRecord): Promise<void> {
  await appendOperatorLine(db, { ...line, operator: operatorName() })
}

/** Also records it in the organization's own log, where its admins see it. */
export async function recordForOrganization(
  db: Db,
  line: CommandRecord & { organizationId: string; resourceId?: string },
): Promise<void> {
  const { resourceId = null, ...own } = line
  await recordCommand(db, own)
  const action = ACTIONS[line.action] ?? line.action
  await appendOperatorAudit(db, line.organizationId, { action, resourceId })
}

/** For commands that run as the database owner. */
export async function recordAsOwner(url: string, line: CommandRecord): Promise<void> {
  await appendLineAsOwner(url, { ...line, operator: operatorName() })
}
