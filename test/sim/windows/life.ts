// The life of one window, simulated without a database: people change it, schedulers run at random times, and coverage
// and events are recorded as the product would.
import { afterEdge, dueEdge } from '../../../src/domain/maintenance/edges.ts'
import { outlook } from '../../../src/domain/maintenance/maintenance.ts'
import { changeProblems } from '../../../src/domain/maintenance/rules.ts'
import type { MaintenanceWindow, WindowSettings } from '../../../src/domain/maintenance/window.ts'
import type { WindowPatch } from '../../../src/domain/maintenance/window-change.ts'
import {
  changeWindow,
  firstProgress,
  isSealed,
} from '../../../src/domain/maintenance/window-change.ts'

export type PublishedChange = { what: 'started' | 'ended' | 'canceled'; atMs: number }
export type Span = { monitor: string; fromMs: number; toMs: number }

export class Life {
  window: MaintenanceWindow
  readonly published: PublishedChange[] = []
  spans: Span[] = []
  readonly #everybody: readonly string[]

  constructor(settings: WindowSettings, nowMs: number, everybody: readonly string[]) {
    const now = new Date(nowMs)
    this.#everybody = everybody
    this.window = {
      ...settings,
      ...firstProgress(settings, now),
      uuid: '',
      onNamedPages: false,
      createdAt: now,
      updatedAt: now,
    }
    this.keep(nowMs)
  }

  /** A scheduler runs. */
  keep(nowMs: number): void {
    const now = new Date(nowMs)
    for (let edge = dueEdge(this.window, now); edge; edge = dueEdge(this.window, now)) {
      if (edge.do === 'COVER') this.#cover(edge.from.getTime(), edge.to.getTime())
      else
        this.published.push({
          what: edge.do === 'START' ? 'started' : 'ended',
          atMs: edge.at.getTime(),
        })
      this.window = afterEdge(this.window, edge)
    }
  }

  /** False if the change is refused. */
  change(patch: WindowPatch, nowMs: number): boolean {
    const now = new Date(nowMs)
    this.keep(nowMs)
    const change = changeWindow(this.window, patch, now)
    if (changeProblems(this.window, change, now).length > 0) return false
    if (isSealed(this.window, change.changedFields, now)) return false
    this.window = change.window
    if (change.spans === 'RELEASE') this.#release(nowMs)
    if (change.spans === 'ADJUST') this.#adjust(nowMs)
    if (change.ended) this.published.push({ what: 'ended', atMs: change.ended.endsAt.getTime() })
    this.keep(nowMs)
    return true
  }

  remove(nowMs: number): void {
    this.keep(nowMs)
    if (outlook(this.window, new Date(nowMs)).status !== 'COMPLETED')
      this.published.push({ what: 'canceled', atMs: nowMs })
    if (this.window.covered) this.#release(nowMs)
    this.window = { ...this.window, occurrence: null }
  }

  get members(): readonly string[] {
    return this.window.allMonitors ? this.#everybody : this.window.monitorUuids
  }

  #cover(fromMs: number, toMs: number): void {
    const isCovered = (monitor: string) =>
      this.spans.some((s) => s.monitor === monitor && s.fromMs <= fromMs && s.toMs >= toMs)
    for (const monitor of this.members)
      if (!isCovered(monitor)) this.spans.push({ monitor, fromMs, toMs })
  }

  #release(atMs: number): void {
    this.spans = this.spans.filter(({ fromMs }) => fromMs < atMs)
    for (const span of this.spans) span.toMs = Math.min(span.toMs, atMs)
  }

  #adjust(atMs: number): void {
    const toMs = this.window.occurrence?.endsAt.getTime() ?? atMs
    for (const span of this.spans.filter((one) => one.toMs > atMs))
      span.toMs = this.members.includes(span.monitor) ? toMs : atMs
    this.#cover(atMs, toMs)
  }
}
