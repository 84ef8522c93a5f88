// Regions that somebody chose for a monitor, for a tag or for the organization, instead of the rules in reach.ts.
import type { Problem } from '../values/problem.ts'
import { isPrivateTarget, provenRegions, type RegionProof } from './reach.ts'

/** FIRST: each check runs in the first region that has a live probe. EACH: it runs in all of them. */
export const REGION_MODES = ['FIRST', 'EACH'] as const
type RegionMode = (typeof REGION_MODES)[number]

export const MAX_CHOSEN_REGIONS = 10
export const MAX_REGION_NAME = 64

/** `downWhen`, of EACH alone: how many regions have to fail; null: the majority. */
export type EachRegion = { downWhen: number | null }

/** In the order in which they are asked. */
export type RegionSetting = EachRegion & { regions: readonly string[]; mode: RegionMode }

type Choice = {
  chosen: readonly string[]
  proofs: readonly RegionProof[]
  liveRegions: readonly string[]
  /** Where the check would run if nobody had chosen. */
  usual: string | undefined
}

/** Where a check runs, which other regions may confirm it, and whether a failure there counts by itself. */
export type ChosenPlace = {
  base: string | undefined
  others: readonly string[]
  isBaseProven: boolean
}

/**
 * The first live region is asked, and another one of the list confirms. A region that has never seen the target work
 * says nothing by failing: until it has, a failure counts only if a region that has says the same. Before the first OK
 * anywhere there is no such region, and the chosen one decides.
 */
export function placeOfChoice(
  { chosen, proofs, liveRegions, usual }: Choice,
  now: Date,
): ChosenPlace {
  const live = chosen.filter((region) => liveRegions.includes(region))
  const base = live[0] ?? chosen[0]
  const proven = provenRegions(proofs, now)
  const hasPassed = proofs.some(({ passedAt }) => passedAt !== null)
  const isBaseProven = !hasPassed || base === usual || proven.some((region) => region === base)
  const listed = live.filter((region) => region !== base && proven.includes(region))
  // The same private address may be another host in another region.
  const alone = isBaseProven && isPrivateTarget(proofs)
  const old = !isBaseProven && listed.length === 0 && usual !== undefined ? [usual] : []
  return { base, others: alone ? [] : [...listed, ...old], isBaseProven }
}

/** What is wrong with a setting; the paths are those of its body. */
export function regionProblems(
  { regions, mode, downWhen }: RegionSetting,
  known: readonly string[],
): Problem[] {
  return [...listProblems(regions, known), ...downWhenProblems(mode, downWhen, regions.length)]
}

function downWhenProblems(mode: RegionMode, downWhen: number | null, count: number): Problem[] {
  const path = 'downWhen'
  if (downWhen === null) return []
  if (mode !== 'EACH') return [{ path, message: 'must be null unless mode is EACH' }]
  if (downWhen > count) return [{ path, message: `must be ${count} or less, as many as regions` }]
  return []
}

function listProblems(regions: readonly string[], known: readonly string[]): Problem[] {
  return regions.flatMap((region, at) => {
    const path = `regions.${at}`
    if (!known.includes(region))
      return [{ path, message: `must be one of: ${known.join(', ') || 'none yet'}` }]
    if (regions.indexOf(region) !== at) return [{ path, message: 'must be in the list only once' }]
    return []
  })
}
