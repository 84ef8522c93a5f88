// I5: incidents of a monitor never overlap and at most one is open. I6: an open incident means DOWN, and DOWN means an
// open incident. I10: every part of an incident exists once, and its attempts are in order.
import { instant, type Life, type Run, short, type Violation } from './run.ts'

export function judgeIncidents({ monitor, incidents }: Life): Violation[] {
  const found: Violation[] = []
  const add = (rule: string, text: string) =>
    found.push({ rule, text: `${short(monitor.uuid)}: ${text}` })
  const open = incidents.filter(({ resolvedMs }) => resolvedMs === null)
  if (open.length > 1) add('I5', `${open.length} incidents are open`)
  if (monitor.state === 'DOWN' ? open.length === 0 : open.length > 0)
    add('I6', `${monitor.state} with ${open.length} open incidents`)
  for (const [i, { startedMs, resolvedMs, resolution }] of incidents.entries()) {
    const at = instant(startedMs)
    const endMs = resolvedMs ?? Number.POSITIVE_INFINITY
    if (endMs < startedMs) add('I5', `the incident of ${at} ended before it began`)
    const next = incidents[i + 1]
    if (next !== undefined && next.startedMs < endMs) add('I5', `the incident of ${at} overlaps`)
    if ((resolvedMs === null) !== (resolution === null))
      add('I5', `the incident of ${at} is half resolved`)
  }
  return found
}

/** The parts an incident must have, each once. */
function partsOf(resolution: string | null): string[] {
  const always = ['LAST_FAILURE', 'OPENED']
  return resolution === 'RECOVERED' ? [...always, 'RESOLVED'] : always
}

export function judgeParts({ incidents, evidence, timeline }: Run): Violation[] {
  const parts = Map.groupBy(evidence, ({ incidentId }) => incidentId)
  const lines = Map.groupBy(timeline, ({ incidentId }) => incidentId)
  const wrong = incidents.flatMap(({ id, resolution }) => {
    const kept = (parts.get(id) ?? []).flatMap(({ part }) => (part === 'CAUSE_CHANGED' ? [] : part))
    const types = (lines.get(id) ?? []).map(({ type }) => type)
    const count = (type: string) => types.filter((each) => each === type).length
    return [
      ...(kept.toSorted().join() === partsOf(resolution).join()
        ? []
        : [`incident ${short(id)} has the evidence [${kept.join(', ')}]`]),
      ...(count('OPENED') === 1 && count('RESOLVED') === (resolution === null ? 0 : 1)
        ? []
        : [`incident ${short(id)} has the timeline [${types.join(', ')}]`]),
    ]
  })
  const disordered = evidence.filter(({ attempts }) =>
    attempts.some(
      ({ number, startedMs }, i) =>
        number !== i + 1 || startedMs < (attempts[i - 1]?.startedMs ?? 0),
    ),
  )
  return [
    ...wrong,
    ...disordered.map(({ id }) => `evidence ${short(id)} has its attempts out of order`),
  ].map((text) => ({ rule: 'I10', text }))
}
