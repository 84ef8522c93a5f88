// A window is changed again and again while schedulers run late or not at all. In any case the coverage at each moment
// matches the window at that moment, and each start and end is published once, at its time.
import assert from 'node:assert/strict'
import { env } from 'node:process'
import { test } from 'node:test'
import { scheduleProblems } from '../../../src/domain/maintenance/rules.ts'
import type { WindowSettings } from '../../../src/domain/maintenance/window.ts'
import { createRng, type Rng } from '../rng.ts'
import { Life, type PublishedChange, type Span } from './life.ts'
import { occurrencesOf, type Plan, type Rule } from './oracle.ts'
import { toSchedule } from './plans.ts'

const LIVES = Number(env['WINDOW_LIVES'] ?? 400)
// Coarse, so that changes, polls and edges often coincide.
const STEP_MS = 10 * 60_000
const DAY_MS = 144 * STEP_MS
const BEGIN_MS = Date.UTC(2026, 2, 20)
const DAYS = 14
const MONITORS = ['a', 'b', 'c']

/** The window's settings from `fromMs` on; null if it was deleted. */
type Version = { fromMs: number; said: { plan: Plan; members: readonly string[] } | null }

test(`${LIVES} lives of a window: covered as it said at the time, published once and in order`, (t) => {
  const counts = { changes: 0, refused: 0, published: 0, joined: 0, late: 0, near: 0 }
  for (let seed = 0; seed < LIVES; seed++) live(seed, counts)
  t.diagnostic(JSON.stringify(counts))
  for (const [what, count] of Object.entries(counts))
    assert.ok(count > LIVES / 10, `${what}: ${count}`)
})

type Counts = Record<'changes' | 'refused' | 'published' | 'joined' | 'late' | 'near', number>

function live(seed: number, counts: Counts): void {
  const rng = createRng(seed)
  let nowMs = BEGIN_MS + rng.int(0, 100) * STEP_MS
  let plan = makePlan(rng, nowMs)
  while (plan.endMs <= nowMs || scheduleProblems(toSchedule(plan)).length > 0)
    plan = makePlan(rng, nowMs)
  let members = someMonitors(rng)
  const life = new Life(settings(plan, members), nowMs, MONITORS)
  const versions: Version[] = [{ fromMs: nowMs, said: { plan, members } }]
  const canceled: PublishedChange[] = []

  const endMs = BEGIN_MS + DAYS * DAY_MS
  for (let gridMs = nowMs; gridMs < endMs; gridMs += rng.int(0, 80) * STEP_MS) {
    nowMs = rng.chance(0.5) ? justBefore(life, nowMs, gridMs) : gridMs
    counts.near += Number(life.window.covered && !life.window.started)
    if (rng.chance(0.5)) {
      const before = life.published.length
      life.keep(nowMs)
      counts.late += life.published.slice(before).filter(({ atMs }) => atMs < nowMs).length
      continue
    }
    const next = { plan: rng.chance(0.6) ? edit(rng, plan, nowMs) : plan, members }
    if (rng.chance(0.5)) next.members = someMonitors(rng)
    if (!life.change(settings(next.plan, next.members), nowMs)) {
      counts.refused++
      continue
    }
    counts.changes++
    counts.joined += Number(next.members.length > members.length)
    // For a window that has started, an end before its start means now.
    const shownEndMs = life.window.endsAt.getTime()
    plan = { ...next.plan, endMs: shownEndMs }
    members = next.members
    versions.push({ fromMs: nowMs, said: { plan, members } })
    if (rng.chance(0.05)) {
      if (statusAt(plan, nowMs) !== 'COMPLETED') canceled.push({ what: 'canceled', atMs: nowMs })
      life.remove(nowMs)
      versions.push({ fromMs: nowMs, said: null })
      break
    }
  }
  life.keep(endMs)
  counts.published += life.published.length
  const expected = expectedChanges(versions, endMs)
  assert.deepEqual(life.published, [...expected, ...canceled], `published, seed ${seed}`)
  const until = (spans: Span[]) =>
    merge(spans.map((s) => ({ ...s, toMs: Math.min(s.toMs, endMs) })))
  assert.deepEqual(until(life.spans), until(coverage(versions, endMs)), `covered, seed ${seed}`)
}

/** Half a minute before the next start, if that lies between the two: covered, but not started. */
function justBefore({ window }: Life, lastMs: number, gridMs: number): number {
  const nearMs = (window.occurrence?.startsAt.getTime() ?? 0) - STEP_MS / 20
  return nearMs > lastMs && nearMs < gridMs ? nearMs : gridMs
}

function makePlan(rng: Rng, nowMs: number): Plan {
  const startMs = nowMs + rng.int(-20, 60) * STEP_MS
  const rule: Rule = {
    frequency: rng.pick(['DAILY', 'DAILY', 'WEEKLY'] as const),
    interval: rng.int(1, 2),
    daysOfWeek: null,
    dayOfMonth: null,
    untilMs: rng.chance(0.3) ? startMs + rng.int(1, 8 * 144) * STEP_MS : null,
  }
  const endMs = startMs + rng.int(1, 60) * STEP_MS
  // The clocks of this zone change within the tested period.
  return { startMs, endMs, zone: 'Europe/Berlin', rule: rng.chance(0.6) ? rule : null }
}

function edit(rng: Rng, plan: Plan, nowMs: number): Plan {
  const kind = rng.int(0, 5)
  if (kind === 0) return makePlan(rng, nowMs)
  if (kind === 1) return { ...plan, endMs: nowMs + rng.int(-6, 6) * STEP_MS }
  if (kind === 2) return { ...plan, endMs: plan.endMs + rng.int(-20, 20) * STEP_MS }
  if (kind === 3) return { ...plan, rule: makePlan(rng, nowMs).rule }
  if (kind === 4 && plan.rule) return { ...plan, rule: { ...plan.rule, untilMs: nowMs } }
  const moveMs = rng.int(-30, 30) * STEP_MS
  return { ...plan, startMs: plan.startMs + moveMs, endMs: plan.endMs + moveMs }
}

const someMonitors = (rng: Rng) => MONITORS.filter((_, i) => i === 0 || rng.chance(0.5))

function settings(plan: Plan, members: readonly string[]): WindowSettings {
  const allMonitors = members.length === MONITORS.length
  const shown = { showOnStatusPages: true, notifySubscribers: false, pageUuids: [] }
  const words = { name: 'Window', description: null }
  return { ...toSchedule(plan), ...words, ...shown, allMonitors, monitorUuids: members }
}

type Open = { fromMs: number; toMs: number; version: number; members: readonly string[] }

/** The periods in which each version, while in force, was active. */
function openStretches(versions: readonly Version[], endMs: number): Open[] {
  return versions.flatMap(({ fromMs, said }, version) => {
    const untilMs = versions[version + 1]?.fromMs ?? endMs
    if (said === null) return []
    const all = occurrencesOf(said.plan, endMs + DAY_MS)
    // Up to and including the moment of the next change: an occurrence that starts then has started.
    const inForce = all.filter((one) => one.toMs > fromMs && one.fromMs <= untilMs)
    return inForce.map((one) => ({
      fromMs: Math.max(one.fromMs, fromMs),
      toMs: Math.min(one.toMs, untilMs),
      version,
      members: said.members,
    }))
  })
}

function coverage(versions: readonly Version[], endMs: number): Span[] {
  return openStretches(versions, endMs).flatMap(({ fromMs, toMs, members }) =>
    members.map((monitor) => ({ monitor, fromMs, toMs })),
  )
}

/** A start when it becomes active, an end when it stops; a change that leaves it active publishes nothing. */
function expectedChanges(versions: readonly Version[], endMs: number): PublishedChange[] {
  const published: PublishedChange[] = []
  let open: Open | undefined
  for (const stretch of openStretches(versions, endMs)) {
    const plan = open && versions[open.version]?.said?.plan
    const isNext = open?.toMs === stretch.fromMs && stretch.version === open.version + 1
    const goesOn = isNext && plan && isOpen(plan, stretch.fromMs)
    if (!goesOn) {
      if (open) end(published, versions, open, endMs)
      published.push({ what: 'started', atMs: stretch.fromMs })
    }
    open = stretch
  }
  if (open) end(published, versions, open, endMs)
  return published
}

function end(
  published: PublishedChange[],
  versions: readonly Version[],
  open: Open,
  endMs: number,
): void {
  const { plan } = versions[open.version]?.said ?? {}
  const next = versions[open.version + 1]
  // Deleting an active window publishes a cancellation instead; the end of the test ends nothing.
  const isCut = next === undefined ? open.toMs === endMs : next.said === null
  if (isCut && plan && isOpen(plan, open.toMs)) return
  published.push({ what: 'ended', atMs: open.toMs })
}

const isOpen = (plan: Plan, atMs: number) =>
  occurrencesOf(plan, atMs + DAY_MS).some(({ fromMs, toMs }) => fromMs <= atMs && atMs < toMs)

function statusAt(plan: Plan, atMs: number): string {
  const left = occurrencesOf(plan, atMs + 60 * DAY_MS).some(({ toMs }) => toMs > atMs)
  return left ? 'OPEN' : 'COMPLETED'
}

/** Ordered by monitor and time, without empty spans, adjacent ones merged. */
function merge(spans: readonly Span[]): Span[] {
  const sorted = spans
    .filter(({ fromMs, toMs }) => fromMs < toMs)
    .toSorted((a, b) => a.monitor.localeCompare(b.monitor) || a.fromMs - b.fromMs)
  const merged: Span[] = []
  for (const span of sorted) {
    const last = merged.at(-1)
    if (last?.monitor === span.monitor && span.fromMs <= last.toMs)
      last.toMs = Math.max(last.toMs, span.toMs)
    else merged.push({ ...span })
  }
  return merged
}
