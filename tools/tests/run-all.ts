// Runs tasks beside each other, as many as the machine carries, and stops what they share as soon as nothing needs it.
import { availableParallelism, tmpdir } from 'node:os'
import { watchMachine } from './machine-load.ts'
import { type Done, printTask } from './report.ts'
import { runTask } from './run-task.ts'
import { chooseNext, type Place, type Task } from './schedule.ts'
import { SharedServices } from './shared-services.ts'
import { SUITES } from './suites.ts'

// Twice as many tasks as processors, because most wait half of the time, as long as their load fits. With three for each the
// processors were never idle, but every file used a quarter more CPU time, and nothing ended earlier.
const PROCESSORS = availableParallelism()
const LIMITS = { load: PROCESSORS, tasks: 2 * PROCESSORS }

// What runs at the same time, so that the figures say which part of a run leaves processors idle.
const STAGES: Record<Place, string> = {
  shared: 'Side by side',
  quiet: 'Quiet',
  alone: 'Alone',
}

export type RunOptions = {
  /** Nothing more is started once it is aborted. */
  stopping: AbortSignal
  /** For one test, instead of what its suite allows. */
  timeoutSeconds: number | undefined
  /** For suites whose files are too large for memory. */
  diskDirectory: string
}

export async function runAll(tasks: readonly Task[], options: RunOptions): Promise<Done[]> {
  const services = new SharedServices()
  const waiting = [...tasks]
  const rest = () => (options.stopping.aborted ? [] : waiting)
  const running = new Map<Task, Promise<void>>()
  const done: Done[] = []
  let stage: { name: string; describe: () => string } | undefined
  const enter = (name: string | undefined) => {
    if (name === stage?.name) return
    if (stage !== undefined) console.log(`${stage.name}: ${stage.describe()}`)
    stage = name === undefined ? undefined : { name, describe: watchMachine() }
  }
  const run = async (task: Task) => {
    done.push(await runOne(task, services, options))
    running.delete(task)
  }
  try {
    while (rest().length > 0 || running.size > 0) {
      const next = chooseNext(rest(), [...running.keys()], LIMITS)
      if (next === undefined) {
        await Promise.race(running.values())
        continue
      }
      // Idle servers would still disturb those that measure.
      if (next.place !== 'shared') await services.stop()
      enter(STAGES[next.place])
      waiting.splice(waiting.indexOf(next), 1)
      running.set(next, run(next))
    }
    enter(undefined)
    return done
  } finally {
    await services.stop()
  }
}

async function runOne(
  task: Task,
  services: SharedServices,
  { timeoutSeconds, diskDirectory }: RunOptions,
): Promise<Done> {
  const suite = SUITES[task.suite]
  if (suite === undefined) throw new Error(`No suite ${task.suite}.`)
  const result = await runTask(task.files, {
    timeoutSeconds: timeoutSeconds ?? suite.timeoutSeconds,
    env: {
      ...(await services.environmentFor({ name: task.suite, files: task.files }, suite)),
      ...suite.env,
      TMPDIR: suite.needsDisk ? diskDirectory : tmpdir(),
    },
  })
  printTask(task, result)
  return { task, result }
}
