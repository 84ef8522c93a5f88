// Runs tasks beside each other, as many as the machine carries, and stops what they share as soon as nothing needs it.
import { availableParallelism, tmpdir } from 'node:os'
import { type Done, printTask } from './report.ts'
import { runTask } from './run-task.ts'
import { chooseNext, type Task } from './schedule.ts'
import { SharedServices } from './shared-services.ts'
import { SUITES } from './suites.ts'

// Twice as many tasks as processors, because most wait half of the time, as long as their load fits.
const LIMITS = { load: availableParallelism(), tasks: 2 * availableParallelism() }

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
      waiting.splice(waiting.indexOf(next), 1)
      running.set(next, run(next))
    }
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
    niceness: task.place === 'background' ? 19 : 0,
    env: {
      ...(await services.environmentFor({ name: task.suite, files: task.files }, suite)),
      ...suite.env,
      TMPDIR: suite.needsDisk ? diskDirectory : tmpdir(),
    },
  })
  printTask(task, result)
  return { task, result }
}
