// The installations that simulations run.
import type { Plan } from './installation.ts'

const region = 'eu'

/** One scheduler and one probe. */
export const SMALL: readonly Plan[] = [
  { name: 'scheduler', roles: ['scheduler'], region },
  { name: 'probe', roles: ['probe'], region },
]

export const TWO_OF_EACH: readonly Plan[] = ['a', 'b'].flatMap((letter): Plan[] => [
  { name: `scheduler-${letter}`, roles: ['scheduler'], region },
  { name: `dispatcher-${letter}`, roles: ['dispatcher'], region },
  { name: `probe-${letter}`, roles: ['probe'], region },
])
