// Outages that began under one doubt about a region's own network. To a contact they are one outage.
import type { AlertCondition, Notification } from './model.ts'

export type DoubtGroup = {
  /** Not yet reported to the contact. */
  conditions: AlertCondition[]
  /** Of the message that reported the doubt to the contact. Undefined if there was none. */
  thread: string | undefined
}

/** `own` are the contact's notifications. */
export function doubtGroupsOf(
  unnotified: readonly AlertCondition[],
  own: readonly Notification[],
  conditions: ReadonlyMap<string, AlertCondition>,
): DoubtGroup[] {
  const doubtOf = (uuid: string) => conditions.get(uuid)?.doubt?.uuid
  const running = own.filter(({ endToldAt }) => endToldAt === null)
  const joined = unnotified.filter(({ doubt }) => doubt != null)
  return [...Map.groupBy(joined, ({ doubt }) => doubt?.uuid)].map(([uuid, group]) => ({
    conditions: group,
    thread: running.find(({ conditionUuid }) => doubtOf(conditionUuid) === uuid)?.thread,
  }))
}

/** Its end is told together with that of the others, so it waits for the next check of each. */
export const isEndAwaited = (condition: AlertCondition | undefined): boolean =>
  condition?.endedAt === null && condition.doubt?.isOpen === true
