// I10: every id is assigned once. R10: what the API acknowledged exists.
import type { Call, Run, Violation } from './run.ts'

export function judgeIds({ monitors, incidents, evidence, timeline, events }: Run): Violation[] {
  const kinds = {
    monitors: monitors.map(({ uuid }) => ({ id: uuid })),
    incidents,
    evidence,
    timeline,
    events,
  }
  const twice = Object.entries(kinds).flatMap(([kind, rows]) => {
    const ids = rows.map(({ id }) => id)
    return ids.length === new Set(ids).size ? [] : [`an id of ${kind} was given out twice`]
  })
  const masked = events.filter(
    ({ id, bodyId, type, bodyType }) => id !== bodyId || type !== bodyType,
  )
  return [
    ...twice,
    ...masked.map(({ id }) => `event ${id} is published under another id or type`),
  ].map((text) => ({ rule: 'I10', text }))
}

const EVENT_OF: Record<Call['operation'], string | undefined> = {
  createMonitor: 'monitor.created',
  pauseMonitor: 'monitor.paused',
  resumeMonitor: 'monitor.resumed',
  checkMonitor: undefined,
}

export function judgeCalls({ calls, events, results, monitors }: Run): Violation[] {
  const counted = Map.groupBy(calls, ({ operation, monitorUuid }) => `${operation} ${monitorUuid}`)
  const published = Map.groupBy(events, ({ type, monitorUuid }) => `${type} ${monitorUuid}`)
  const noOf = new Map(monitors.map(({ uuid, no }) => [uuid, no]))
  const requested = Map.groupBy(
    results.filter(({ kind }) => kind === 'REQUESTED'),
    ({ monitorNo }) => monitorNo,
  )
  return [...counted.values()].flatMap((same) => {
    const [call] = same
    if (call === undefined) return []
    const { operation, monitorUuid } = call
    const event = EVENT_OF[operation]
    const kept =
      event === undefined
        ? (requested.get(noOf.get(monitorUuid) ?? -1)?.length ?? 0)
        : (published.get(`${event} ${monitorUuid}`)?.length ?? 0)
    // One check may serve several requests, so only one result can be expected for them.
    const needed = event === undefined ? 1 : same.length
    if (kept >= needed) return []
    const text = `${operation} of ${monitorUuid}: ${same.length} acknowledged, ${kept} kept`
    return [{ rule: 'R10', text }]
  })
}
