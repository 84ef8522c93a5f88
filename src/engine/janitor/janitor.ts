// Runs the maintenance tasks every minute. A task that fails is retried in the next round and does not stop the others.
import { setTimeout as delay } from 'node:timers/promises'
import { watched } from '../../platform/observability/event-loop-watch.ts'
import { TASKS, type Task, type TaskDeps } from './tasks.ts'

const ROUND_MS = 60_000

type JanitorDeps = Omit<TaskDeps, 'pause' | 'stopping'>

export function startJanitor(deps: JanitorDeps): { stop(): Promise<void> } {
  const stop = new AbortController()
  const { signal } = stop
  // Rejects only when the signal aborts it, and then there is nothing left to wait for.
  const pause = (ms: number) => delay(ms, undefined, { signal }).catch(() => {})
  const taskDeps = { ...deps, pause, stopping: () => signal.aborted }
  const running = (async () => {
    while (!signal.aborted) {
      for (const task of TASKS) if (!signal.aborted) await run(task, taskDeps)
      await pause(ROUND_MS)
    }
  })()
  return {
    async stop() {
      stop.abort()
      await running
    },
  }
}

async function run({ name, run: work }: Task, deps: TaskDeps): Promise<void> {
  try {
    await watched(`janitor ${name}`, () => work(deps))
    deps.metrics.ended(name, new Date())
  } catch (err) {
    deps.metrics.failed(name)
    deps.log.error({ err, task: name }, 'upkeep failed')
  }
}
