// Runs one check of `upvane doctor`: one that fails or hangs does not affect the others.
import { setTimeout as sleep } from 'node:timers/promises'
import { type DoctorFinding, type DoctorLine, fail } from '../../domain/operating/doctor.ts'
import { ConnectionError } from '../../store/core/connect.ts'
import { operatorFault } from '../cli/operator-fault.ts'

export type DoctorCheck = readonly [
  name: string,
  run: () => Promise<DoctorFinding[]> | DoctorFinding[],
]

// Slightly longer than the connection timeout, so that its own message comes first.
const DEADLINE_MS = 5_500

export async function runCheck([check, run]: DoctorCheck): Promise<DoctorLine[]> {
  const late = new AbortController()
  const deadline = sleep(DEADLINE_MS, undefined, { signal: late.signal }).then(
    () => [fail('No answer within 5 s. Check what it connects to, and the network between.')],
    () => [],
  )
  try {
    const verdicts = await Promise.race([(async () => run())(), deadline])
    return verdicts.map((verdict) => ({ check, ...verdict }))
  } catch (error) {
    return [{ check: isPooler(error) ? 'pooler' : check, ...fail(sentenceOf(error)) }]
  } finally {
    late.abort()
  }
}

const isPooler = (error: unknown) =>
  error instanceof ConnectionError && error.message.includes('pooler')

function sentenceOf(error: unknown): string {
  const message = error instanceof Error ? error.message : String(error)
  return operatorFault(error) ?? `This check could not be done (${message}). Report it as a bug.`
}
