// Probes that are not what they should be, as the bus hears them: of the previous version, or one that reports nonsense.
import type { Wire } from '../../../../src/bus/wire.ts'

type Ways = { isOld: boolean; isLying(): boolean }

const OLD_VERSION = '0.1.0'
// What a probe of 0.1 does not say.
const SINCE_0_2 = ['answerKey', 'isDirect', 'networks', 'allows', 'lateMs', 'key']
const NONSENSE = [
  null,
  {},
  { outcome: 'OK' },
  { outcome: 'FAILED', causeCode: 'HEARTBEAT_MISSED', cause: 'Silence', durationMs: 1 },
  { outcome: 'FAILED', causeCode: 'TIMEOUT', cause: 'Late', durationMs: -1, sent: true },
] as const

export function disguised(wire: Wire, { isOld, isLying }: Ways): Wire {
  return {
    ...wire,
    publish: (subject, text, reply) => {
      if (!text.startsWith('{') || !(isOld || isLying())) return wire.publish(subject, text, reply)
      const said = JSON.parse(text) as Record<string, unknown>
      if (isOld) makeOld(said)
      if (isLying()) makeNonsense(said)
      return wire.publish(subject, JSON.stringify(said), reply)
    },
  }
}

function makeOld(said: Record<string, unknown>): void {
  for (const name of SINCE_0_2) delete said[name]
  if ('version' in said) said['version'] = OLD_VERSION
}

function makeNonsense(said: Record<string, unknown>): void {
  const { results } = said
  if (!Array.isArray(results)) return
  said['results'] = results.map((result: object) => ({
    ...result,
    attempt: NONSENSE[Math.trunc(Math.random() * NONSENSE.length)],
  }))
}
