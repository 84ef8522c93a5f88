// Parts of a plan, and how they are put together.
import type { AlertMessage, Notification } from './model.ts'

export type PlanStep = { messages: AlertMessage[]; notifications: Notification[]; waits: Date[] }

export const nothing = (): PlanStep => ({ messages: [], notifications: [], waits: [] })

function add(step: PlanStep, { messages, notifications, waits }: PlanStep): void {
  step.messages.push(...messages)
  step.notifications.push(...notifications)
  step.waits.push(...waits)
}

export function join(steps: readonly PlanStep[]): PlanStep {
  const all = nothing()
  for (const step of steps) add(all, step)
  return all
}
