// Checks cannot reach internal addresses: not by names whose answers change between lookups, names with two answers,
// aliases, redirects or plain addresses. If the operator allows these addresses, all of these work.
import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import {
  type AttemptFixture,
  httpTarget,
  openAttemptFixture,
} from '../../test/kit/targets/attempt-fixture.ts'
import { canUseNamespaces, isInside, runInNamespace } from '../../test/kit/targets/namespace.ts'
import {
  EVERY_ADDRESS,
  FORBIDDEN,
  inUrl,
  isMapped,
  openVictims,
  type Trick,
  trickName,
  trickScript,
  VICTIM_SETUP,
  type Victims,
} from '../../test/kit/targets/victims.ts'
import type { CheckTarget } from './registry.ts'
import type { AttemptResult } from './run-attempt.ts'

// Nothing here is silent: a thousand vectors at once take as long as the machine needs.
const timeoutSeconds = 30

if (!isInside()) {
  const skip = !canUseNamespaces() && 'needs root and network namespaces'
  test('inside a namespace of its own', { skip }, () => {
    const { passed, failed, output } = runInNamespace(import.meta.filename, VICTIM_SETUP)
    assert.deepEqual([failed, passed > 0], [0, true], output)
  })
} else runInside()

type ToTarget = (host: string) => CheckTarget

function runInside(): void {
  let victims: Victims
  before(async () => {
    writeFileSync('/proc/sys/net/ipv4/ping_group_range', '0 2147483647')
    victims = await openVictims()
  })
  after(() => victims.close())

  /** One for each type that connects to its target itself. */
  const targets = (): Record<string, ToTarget> => {
    const { port, securePort } = victims
    const page = (host: string) => httpTarget(`http://${inUrl(host)}:${port}/`, { timeoutSeconds })
    return {
      HTTP: page,
      KEYWORD: (host) => ({
        ...page(host),
        type: 'KEYWORD',
        keyword: 'ok',
        keywordMatch: 'EXISTS',
      }),
      https: (host) =>
        httpTarget(`https://${inUrl(host)}:${securePort}/`, { timeoutSeconds, verifySsl: false }),
      PORT: (host) => ({ type: 'PORT', host, port, timeoutSeconds }),
      PING: (host) => ({ type: 'PING', host, timeoutSeconds }),
      SSL: (host) => ({
        type: 'SSL',
        url: `${inUrl(host)}:${securePort}`,
        verifySsl: false,
        timeoutSeconds,
      }),
    }
  }
  const page = (host: string, path: string) =>
    httpTarget(`http://${inUrl(host)}:${victims.port}/${path}`, { timeoutSeconds })
  const to = (host: string) => `to/${encodeURIComponent(`http://${inUrl(host)}:${victims.port}/`)}`

  /** Tries every vector of every type, many in parallel. Returns how many there were. */
  async function everyVector(
    fixture: AttemptFixture,
    expected: 'OK' | 'TARGET_NOT_ALLOWED',
  ): Promise<number> {
    const outcomes = await Promise.all(
      FORBIDDEN.map(async (address) => {
        const vectors: [string, AttemptResult][] = []
        const check = async (name: string, target: CheckTarget) =>
          vectors.push([`${address} ${name}`, await fixture.attempt(target, timeoutSeconds * 1000)])
        for (const [type, toTarget] of Object.entries(targets())) {
          // An echo request needs one address family, and an IPv4-mapped IPv6 address has none.
          if (type === 'PING' && isMapped(address) && expected === 'OK') continue
          const named = (trick: Trick) => trickName(trick, address, `${expected}-${type}`)
          const flipped = named('FLIP')
          const first = await fixture.attempt(toTarget(flipped), timeoutSeconds * 1000)
          assert.equal(first.outcome, 'OK', `${address} ${type} ${JSON.stringify(first)}`)
          await check(`${type} flipped between attempts`, toTarget(flipped))
          await check(`${type} mixed`, toTarget(named('MIXED')))
          await check(`${type} split`, toTarget(named('SPLIT')))
          await check(`${type} alias`, toTarget(named('ALIAS')))
          await check(`${type} literal`, toTarget(address))
        }
        const hop = trickName('FLIP', address, `${expected}-hop`)
        const door = trickName('PUBLIC', address, `${expected}-door`)
        await check('flipped between hops', page(hop, to(hop)))
        await check('redirect to a literal', page(door, to(address)))
        await check('redirect to an alias', page(door, to(trickName('ALIAS', address, 'hop'))))
        return vectors
      }),
    )
    for (const [vector, attempt] of outcomes.flat()) {
      const verdict = attempt.outcome === 'FAILED' ? attempt.causeCode : attempt.outcome
      assert.equal(verdict, expected, `${vector} ${JSON.stringify(attempt)}`)
    }
    return outcomes.flat().length
  }

  test('none of them reaches a forbidden address', async (t) => {
    const fixture = await openAttemptFixture({ dns: trickScript(), allowCidrs: [] })
    t.after(fixture.close)
    const vectors = await everyVector(fixture, 'TARGET_NOT_ALLOWED')
    t.diagnostic(`${vectors} vectors to ${FORBIDDEN.length} addresses`)
    assert.ok(vectors >= 1000, `only ${vectors} vectors`)
    assert.deepEqual(victims.connections, [])
    assert.equal(victims.packets(), 0)
  })

  test('an allow-list opens all of them', async (t) => {
    const fixture = await openAttemptFixture({ dns: trickScript(), allowCidrs: [...EVERY_ADDRESS] })
    t.after(fixture.close)
    await everyVector(fixture, 'OK')
    // The plain forms of addresses that were reached in another notation.
    const reached = new Set(victims.connections)
    const plain = FORBIDDEN.map((address) => address.replace(/^::ffff:|^0\.0\.0\.0$/, ''))
    for (const address of plain) assert.ok(address === '' || reached.has(address), address)
    assert.ok(victims.packets() > victims.connections.length, 'no ping was counted')
  })
}
