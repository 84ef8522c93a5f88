// Names of actions in the audit log. An action is the id of its operation, so an operation that is renamed leaves entries
// under its former id. They are found and shown under the current one.

const FORMER: ReadonlyMap<string, string> = new Map([
  ['changeRole', 'changeMemberRole'],
  ['followTag', 'setSectionTag'],
  ['invite', 'inviteMember'],
  ['postWithNextUpdate', 'postStatusIncidentUpdate'],
  ['publishWithNextUpdate', 'publishStatusIncident'],
  ['startMonitorBulk', 'startBulkChange'],
  ['testMail', 'testEmail'],
  ['undoDeletion', 'restoreOrganization'],
  ['withdrawInvitation', 'revokeInvitation'],
])

export const FORMER_ACTIONS: readonly string[] = [...FORMER.keys()]

export const currentAction = (action: string): string => FORMER.get(action) ?? action

/** Every name under which entries of the action may be stored. */
export function storedActions(action: string): string[] {
  const current = currentAction(action)
  return [current, ...FORMER_ACTIONS.filter((former) => currentAction(former) === current)]
}
