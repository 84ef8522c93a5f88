// Divides the files of a suite into tasks: files that share a process, or one file each.
import { halve, shard, type Task } from './schedule.ts'
import { filesOf, SUITES } from './suites.ts'
import { type Cost, costOf, type Times } from './times.ts'

type Wanted = {
  /** Whole paths of tests, or parts of paths; empty means all. */
  only: readonly string[]
  /** `1/3` for the first of three machines that share the suites. */
  part: string | undefined
  recorded: Times
}

export function tasksOf(name: string, { only, part, recorded }: Wanted): Task[] {
  const files = filesOf(name, only)
  const { together, apart = [], place = 'shared', leastLoad = 0 } = SUITES[name] ?? {}
  const { apartPlace = place } = SUITES[name] ?? {}
  const cost = (file: string) => costOf(name, file, recorded)
  const isJoint = (file: string) => together !== undefined && !apart.includes(file)
  const joint = files.filter(isJoint)
  const own = files.filter((file) => !isJoint(file))
  const parts = together === 'halves' ? halve(joint, (file) => cost(file).wallSeconds) : [joint]
  const groups = [...own.map((file) => [file]), ...parts.filter((each) => each.length > 0)]
  const tasks = groups.map((group): Task => {
    const sum = (of: keyof Cost) => group.reduce((total, file) => total + cost(file)[of], 0)
    const seconds = sum('wallSeconds')
    const load = Math.max(sum('cpuSeconds') / seconds || 1, leastLoad)
    const isApart = group.every((file) => apart.includes(file))
    return { suite: name, files: group, seconds, load, place: isApart ? apartPlace : place }
  })
  const [nth, of] = (part ?? '').split('/').map(Number)
  return nth && of ? shard(tasks, { nth, of }) : tasks
}
