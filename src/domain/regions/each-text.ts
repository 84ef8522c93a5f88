// Says in a sentence from where a target can be reached and from where not.
import { type RegionAnswer, regionsThatCount } from './each-verdict.ts'

/** The same for what the regions said last. Null if none of those that count failed. */
export function downFrom(
  answers: readonly RegionAnswer[],
  chosen: readonly string[],
): string | null {
  const hasFailed = regionsThatCount(answers).some(({ outcome }) => outcome === 'FAILED')
  const absent = chosen.filter((name) => answers.every(({ region }) => region !== name))
  return hasFailed ? downFromText(answers, absent) : null
}

/**
 * "Down from 1 of 3 regions: us-east. Up from eu-west. No answer from ap-south." `absent`: listed regions without a live
 * probe, which are not among the three.
 */
export function downFromText(answers: readonly RegionAnswer[], absent: readonly string[]): string {
  const counted = regionsThatCount(answers)
  const named = (outcome: RegionAnswer['outcome']) =>
    counted.filter((answer) => answer.outcome === outcome).map(({ region }) => region)
  const failed = named('FAILED')
  const never = answers.filter((answer) => !counted.includes(answer)).map(({ region }) => region)
  const regions = counted.length === 1 ? 'region' : 'regions'
  const head = `Down from ${failed.length} of ${counted.length} ${regions}`
  return [
    failed.length === 0 ? head : `${head}: ${listOf(failed)}`,
    ...sentence('Up from', named('OK')),
    ...sentence('No answer from', named('NONE')),
    ...sentence('Never reached from', never),
    ...sentence('No probe in', absent),
  ].join('. ')
}

function sentence(start: string, regions: readonly string[]): string[] {
  return regions.length === 0 ? [] : [`${start} ${listOf(regions)}`]
}

function listOf(names: readonly string[]): string {
  const last = names.at(-1) ?? ''
  return names.length < 2 ? last : `${names.slice(0, -1).join(', ')} and ${last}`
}
