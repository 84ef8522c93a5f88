// Checks a finished run against the invariants and counts what it checked: a judge that saw nothing has proved nothing.
import { judgeHits } from './hits.ts'
import { judgeCalls, judgeIds } from './ids.ts'
import { judgeIncidents, judgeParts } from './incidents.ts'
import { judgeTimeline } from './replay.ts'
import { livesOf, type Run, type Violation } from './run.ts'
import { judgeSlots } from './slots.ts'

export type Judgement = { violations: Violation[]; counts: Record<string, number> }

export function judge(run: Run): Judgement {
  const lives = livesOf(run)
  const slots = lives.map((life) => judgeSlots(life, run.settledMs))
  const hits = lives.map(judgeHits)
  const violations = [
    ...slots.flatMap((each) => each.violations),
    ...hits.flatMap((each) => each.violations),
    ...lives.flatMap(judgeTimeline),
    ...lives.flatMap(judgeIncidents),
    ...judgeParts(run),
    ...judgeIds(run),
    ...judgeCalls(run),
  ]
  const sum = (what: 'due' | 'run' | 'inconclusive' | 'missed') =>
    slots.reduce((total, { counts }) => total + counts[what], 0)
  const latenessMs = hits.flatMap((each) => each.latenessMs).toSorted((a, b) => a - b)
  const rank = (share: number) => latenessMs[Math.ceil(share * latenessMs.length) - 1] ?? 0
  return {
    violations,
    counts: {
      monitors: run.monitors.length,
      slotsDue: sum('due'),
      slotsRun: sum('run'),
      slotsInconclusive: sum('inconclusive'),
      slotsMissed: sum('missed'),
      hits: run.hits.length,
      incidents: run.incidents.length,
      events: run.events.length,
      calls: run.calls.length,
      latenessP50Ms: Math.round(rank(0.5)),
      latenessP99Ms: Math.round(rank(0.99)),
      latenessMaxMs: Math.round(rank(1)),
      violations: violations.length,
    },
  }
}
