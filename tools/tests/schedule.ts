// Decides which test files run beside each other: files that mostly wait beside files that compute, the longest first, so
// that no long one is left for the end.

export type Task = {
  suite: string
  files: readonly string[]
  /** As measured before; unknown files count as long. */
  seconds: number
  /** How many processors it keeps busy on average. */
  load: number
  place: Place
}

/** Beside which others it may run: any, one other quiet one, or none. */
export type Place = 'shared' | 'quiet' | 'alone'

type Limits = {
  /** How many processors all running tasks may keep busy. */
  load: number
  /** Each can hold a PostgreSQL, several processes of the product and a browser. */
  tasks: number
}

/** Undefined if the ones that run must end first. */
export function chooseNext(
  waiting: readonly Task[],
  running: readonly Task[],
  limits: Limits,
): Task | undefined {
  const at = (place: Place) => waiting.filter((task) => task.place === place).toSorted(byLength)
  const isRunning = (place: Place) => running.some((task) => task.place === place)
  if (isRunning('alone')) return undefined
  const shared = at('shared')
  if (shared.length > 0 || isRunning('shared')) return chooseFitting(shared, running, limits)
  const quiet = chooseFitting(at('quiet'), running, { ...limits, tasks: MAX_QUIET })
  return quiet ?? (running.length === 0 ? at('alone')[0] : undefined)
}

function chooseFitting(
  waiting: readonly Task[],
  running: readonly Task[],
  limits: Limits,
): Task | undefined {
  if (running.length === 0) return waiting[0]
  if (running.length >= limits.tasks) return undefined
  const used = running.reduce((sum, task) => sum + loadOf(task), 0)
  return waiting.find((task) => used + loadOf(task) <= limits.load)
}

// Two, so that one can wait for a lease while the other kills.
const MAX_QUIET = 2

// What was measured on a busy machine looks like waiting. Without a minimum, a crowded run would make the next one more
// crowded.
const LEAST_LOAD = 2 / 5
const loadOf = ({ load }: Task) => Math.max(load, LEAST_LOAD)

const byLength = (a: Task, b: Task) => b.seconds - a.seconds

/** Two groups that take about the same time. */
export function halve(
  files: readonly string[],
  secondsOf: (file: string) => number,
): [string[], string[]] {
  const halves: [string[], string[]] = [[], []]
  const seconds = [0, 0] as [number, number]
  for (const file of files.toSorted((a, b) => secondsOf(b) - secondsOf(a))) {
    const half = seconds[0] <= seconds[1] ? 0 : 1
    halves[half].push(file)
    seconds[half] += secondsOf(file)
  }
  return halves
}

/** The nth of `of` parts, for machines that share a suite. Parts take about the same time. */
export function shard<T extends { seconds: number }>(
  tasks: readonly T[],
  { nth, of }: { nth: number; of: number },
): T[] {
  const parts = Array.from({ length: of }, () => ({ tasks: [] as T[], seconds: 0 }))
  for (const task of tasks.toSorted((a, b) => b.seconds - a.seconds)) {
    const [least] = parts.toSorted((a, b) => a.seconds - b.seconds)
    least?.tasks.push(task)
    if (least) least.seconds += task.seconds
  }
  return parts[nth - 1]?.tasks ?? []
}
