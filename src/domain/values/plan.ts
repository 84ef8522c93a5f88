// The limits of an organization. They are data: those of the plan, unless the operator set others.

export const PLANS = ['FREE', 'STARTER', 'PRO', 'BUSINESS', 'UNLIMITED'] as const
export type Plan = (typeof PLANS)[number]

export type PlanLimits = {
  monitors: number | null
  fastestIntervalSeconds: number
  statusPages: number | null
  webhookEndpoints: number | null
  openWindows: number | null
  historyDays: number | null
  regionsPerMonitor: number | null
}

/** Null means unlimited, so an override of null lifts a limit. */
export function effectiveLimits(plan: PlanLimits, overrides: Partial<PlanLimits>): PlanLimits {
  return { ...plan, ...overrides }
}

/** Why one more is refused; undefined if it fits. */
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

export function regionsRefusal(
  { regionsPerMonitor: limit }: PlanLimits,
  regions: number,
): string | undefined {
  if (limit === null || regions <= limit) return undefined
  return `The plan allows ${limit === 1 ? 'one region' : `${limit} regions`} for a monitor.`
}
