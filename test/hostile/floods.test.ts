import assert from 'node:assert/strict'
import { setTimeout as sleep } from 'node:timers/promises'
import { assault } from './assault.ts'
import { PASSWORD } from './people.ts'
import type { World } from './world.ts'

const BEFORE_END_MS = 3_000
const SIGNED_IN_WITHIN_MS = 2_000

assault('Floods: of sign-ins, keys, tests, names, heartbeats and repeats hold up nobody', {
  attack: 'floods',
  atLeast: {
    'sign-in ': 50,
    'key ': 20,
    'contact ': 20,
    'host ': 50,
    'heartbeat ': 50,
    'repeat ': 60,
  },
  async meanwhile(world, endMs) {
    await sleep(endMs - Date.now() - BEFORE_END_MS)
    await assertSignsIn(world)
  },
})

/** People of the victim can sign in while an attacker guesses their passwords. */
async function assertSignsIn({ victim, person }: World): Promise<void> {
  const body = { email: person.email, password: PASSWORD }
  const answer = await victim.sendApp({ method: 'POST', path: '/session', body })
  assert.equal(answer.status, 200, answer.text)
  assert.ok(answer.ms < SIGNED_IN_WITHIN_MS, `it took ${Math.round(answer.ms)} ms`)
}
