// How far an apply is, and how long it will take. On stderr: stdout is for the result.
import { clean } from '../../terminal/text.ts'
import { type ConfigPlan, estimateRequests, isChange, type PlannedStep } from '../plan/plan.ts'
import { renderDuration, secondsFor } from '../plan/render-text.ts'
import type { Output } from './output.ts'

type Progress = {
  report(step: PlannedStep, outcome: string, message: string): void
  end(): void
}

const EVERY = 25
const BAR = 20

export function createProgress(plan: ConfigPlan, output: Output): Progress {
  const total = plan.steps.filter(isChange).length
  const seconds = secondsFor(estimateRequests(plan))
  const isTerminal = process.stderr.isTTY
  let count = 0
  return {
    report(step, outcome, message) {
      count += 1
      if (outcome !== 'done')
        output.note(
          `${isTerminal ? '\r' : ''}${step.address}: ${outcome}: ${clean(output.hide(message))}`,
        )
      const left = renderDuration(Math.ceil((seconds * (total - count)) / Math.max(1, total)))
      if (isTerminal)
        process.stderr.write(`\r${bar(count, total)} ${count} of ${total}, about ${left} left  `)
      else if (count % EVERY === 0 && count < total)
        output.note(`${count} of ${total}, about ${left} left`)
    },
    end() {
      if (isTerminal && count > 0) process.stderr.write('\n')
    },
  }
}

function bar(count: number, total: number): string {
  const full = Math.round((count / Math.max(1, total)) * BAR)
  return `[${'#'.repeat(full)}${' '.repeat(BAR - full)}]`
}
