// The installations that simulations run.
import type { Plan } from './installation.ts'
import { HOME } from './world.ts'

const region = HOME

/** One scheduler and one probe. */
export const SMALL: readonly Plan[] = [
  { name: 'scheduler', roles: ['scheduler'], region },
  { name: 'probe', roles: ['probe'], region },
]

/** Two of each, one that takes pings, and one probe in each of two other regions. */
export const TWO_OF_EACH: readonly Plan[] = [
  ...['a', 'b'].flatMap((letter): Plan[] => [
    { name: `scheduler-${letter}`, roles: ['scheduler'], region },
    { name: `dispatcher-${letter}`, roles: ['dispatcher'], region },
    { name: `probe-${letter}`, roles: ['probe'], region },
  ]),
  { name: 'api', roles: ['api'], region },
  ...['us', 'ap'].map(
    (other): Plan => ({ name: `probe-${other}`, roles: ['probe'], region: other }),
  ),
]
