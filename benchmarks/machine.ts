// The machine a benchmark runs on: its hardware, how busy it was, and the CPU time of processes.
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { cpus, loadavg } from 'node:os'
import { findChildren } from '../tools/services/processes.ts'

const MICROS_PER_TICK = 10_000

export type Busyness = { load1: number; stealPercent: number }

/** CPU time of a process since it started, over all its threads. */
export function cpuMicros(pid: number): number {
  return threadFiles(pid).reduce((sum, file) => sum + threadMicros(file), 0)
}

/** The same for a server and its workers, including those that have exited. */
export function familyCpuMicros(pid: number): number {
  const living = [pid, ...findChildren(pid)].reduce((sum, one) => sum + cpuMicros(one), 0)
  return living + endedChildrenMicros(pid)
}

/** Pins a process to cores, with all its threads and future children. */
export function pin(pid: number, cores: string): void {
  execFileSync('taskset', ['-acp', cores, String(pid)], { stdio: 'ignore' })
}

export function describeMachine() {
  const { model = 'unknown' } = cpus()[0] ?? {}
  return { cores: cpus().length, model, node: process.versions.node }
}

/** Starts measuring; the returned function says how busy the machine was since then. */
export function watchBusyness(): () => { before: Busyness; after: Busyness } {
  const start = clockTicks()
  const before = { load1: loadavg()[0] ?? 0, stealPercent: percent(start.steal, start.all) }
  return () => {
    const end = clockTicks()
    const stealPercent = percent(end.steal - start.steal, end.all - start.all)
    return { before, after: { load1: loadavg()[0] ?? 0, stealPercent } }
  }
}

function threadFiles(pid: number): string[] {
  try {
    return readdirSync(`/proc/${pid}/task`).map((task) => `/proc/${pid}/task/${task}/schedstat`)
  } catch {
    // A worker that exited since it was listed.
    return []
  }
}

// The first field is nanoseconds on the CPU. The usual /proc/<pid>/stat counts in steps of 10 ms.
function threadMicros(file: string): number {
  try {
    return Number(readFileSync(file, 'utf8').split(' ', 1)[0]) / 1000
  } catch {
    return 0
  }
}

// Fields 16 and 17 of /proc/<pid>/stat, counted after the name, which may contain spaces.
function endedChildrenMicros(pid: number): number {
  const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
  const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
  return (Number(fields[13]) + Number(fields[14])) * MICROS_PER_TICK
}

function clockTicks(): { steal: number; all: number } {
  const line = readFileSync('/proc/stat', 'utf8').split('\n', 1)[0] ?? ''
  const ticks = line.trim().split(/\s+/).slice(1, 9).map(Number)
  return { steal: ticks[7] ?? 0, all: ticks.reduce((sum, value) => sum + value, 0) }
}

const percent = (part: number, whole: number) => (whole === 0 ? 0 : (100 * part) / whole)
