import { after } from 'node:test'
import { assaultIn } from './assault.ts'
import { endJoinWorld, getJoinWorld } from './join-world.ts'

after(endJoinWorld)

assaultIn(getJoinWorld, 'Joins: floods of requests under three tokens of probes hold up nobody', {
  attack: 'joins',
  atLeast: { 'join sent': 2_000 },
})
