// Option values, validated as strictly as a request.
import { fromPublicId } from '../../domain/values/id.ts'

export type Flags = Readonly<Record<string, string | boolean | undefined>>

/** An error the operator can fix; printed without a stack trace. */
export class UsageError extends Error {}

const UNIT_SECONDS: Record<string, number> = { s: 1, m: 60, h: 3600, d: 86_400 }

export function required(flags: Flags, name: string): string {
  const value = flags[name]
  if (typeof value === 'string' && value !== '') return value
  throw new UsageError(`--${name} is needed.`)
}

export function chosen<V extends string>(
  flags: Flags,
  name: string,
  values: readonly V[],
  fallback: V,
): V {
  const text = flags[name] ?? fallback
  const value = values.find((candidate) => candidate === text)
  if (value === undefined) throw new UsageError(`--${name} must be one of ${values.join(', ')}.`)
  return value
}

export function idFlag(flags: Flags, name: string, prefix: 'org' | 'key'): string {
  const uuid = fromPublicId(prefix, required(flags, name))
  if (uuid === undefined)
    throw new UsageError(`--${name} must be an id that starts with ${prefix}_.`)
  return uuid
}

/** Seconds of a duration such as 90d, 12h, 30m or 45s. Undefined if it is missing or "never". */
export function duration(flags: Flags, name: string): number | undefined {
  const text = flags[name]
  if (text === undefined || text === 'never') return undefined
  const [, amount, unit] = /^(\d{1,6})([smhd])$/.exec(String(text)) ?? []
  if (amount === undefined || unit === undefined)
    throw new UsageError(`--${name} must be a duration such as 90d, 12h or 30m, or "never".`)
  return Number(amount) * (UNIT_SECONDS[unit] ?? 1)
}
