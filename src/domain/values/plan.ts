// What an organization may have. Limits are data: a plan's, unless the operator set others for it.

export type PlanLimits = {
  monitors: number | null
  fastestIntervalSeconds: number
  statusPages: number | null
  webhookEndpoints: number | null
  openWindows: number | null
  historyDays: number | null
}

/** null as a limit means there is none, so an override of null lifts a limit. */
export function effectiveLimits(plan: PlanLimits, overrides: Partial<PlanLimits>): PlanLimits {
  return { ...plan, ...overrides }
}

/** Why one more is refused; undefined when it fits. */
export function allowanceRefusal(
  what: string,
  limit: number | null,
  have: number,
): string | undefined {
  if (limit === null || have < limit) return undefined
  return `The plan allows ${limit} ${what}, and all are in use.`
}

export function intervalRefusal(limits: PlanLimits, intervalSeconds: number): string | undefined {
  if (intervalSeconds >= limits.fastestIntervalSeconds) return undefined
  return `The plan allows intervals of ${limits.fastestIntervalSeconds} seconds or more.`
}
