// Whether a probe's network works, asked at public addresses, which loopback has none of.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createServer } from 'node:net'
import { after, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { openAttemptFixture } from '../../../test/kit/targets/attempt-fixture.ts'
import { listen } from '../../../test/kit/targets/listen.ts'
import { canUseNamespaces, isInside, runInNamespace } from '../../../test/kit/targets/namespace.ts'
import { createControlTargets } from './control-targets.ts'

const OPEN = '11.22.33.44'
const REFUSING = '11.22.34.44'
const DROPPED = '11.22.35.44'
const DROPPED_SIX = '2606:4700::45'
const PRIVATE = '10.0.0.1'
const PORT = 8443
const SETUP = [
  'ip link set lo up',
  ...[OPEN, REFUSING, DROPPED, PRIVATE].map((address) => `ip addr add ${address}/32 dev lo`),
  `ip -6 addr add ${DROPPED_SIX}/128 dev lo nodad`,
  'nft add table inet t',
  'nft add chain inet t in "{ type filter hook input priority 0; }"',
  `nft add rule inet t in ip daddr ${DROPPED} drop`,
  `nft add rule inet t in ip6 daddr ${DROPPED_SIX} drop`,
]

if (!isInside()) {
  const skip = !canUseNamespaces() && 'needs root and network namespaces'
  test('inside a namespace of its own', { skip }, () => {
    const { passed, failed, output } = runInNamespace(import.meta.filename, SETUP)
    assert.deepEqual([failed, passed > 0], [0, true], output)
  })
} else await runInside()

async function runInside(): Promise<void> {
  const counts = { open: 0, private: 0 }
  const count = (name: keyof typeof counts) =>
    createServer((socket) => {
      counts[name] += 1
      socket.destroy()
    })
  const [open, inner] = await Promise.all([
    listen(count('open'), OPEN),
    listen(count('private'), PRIVATE),
  ])
  const fixture = await openAttemptFixture({ allowCidrs: ['10.0.0.0/8'] })
  after(() => Promise.all([open, inner, fixture].map(({ close }) => close())))

  const dropped = `${DROPPED}:${PORT}`
  const accepting = `${OPEN}:${open.port}`
  const refused = `${REFUSING}:${PORT}`
  const internal = `${PRIVATE}:${inner.port}`
  // biome-ignore format: a table is read by its columns
  const rows: [why: string, controls: string[], pairs: string[], answer: boolean | null][] = [
    ['one of them accepts',                        [],          [dropped, accepting],                  true],
    ['one of them refuses',                        [],          [dropped, refused],                    true],
    ['all are silent, of both families',           [],          [dropped, `[${DROPPED_SIX}]:${PORT}`], false],
    ['no road leads there',                        [],          ['12.0.0.1:443'],                      false],
    ['nothing to ask',                             [],          [],                                    null],
    ['private addresses and names are not asked',  [],          [internal, 'localhost:80', 'x', '127.0.0.1:1', `${OPEN}:0`], null],
    ['more than five are not asked',               [],          [...Array<string>(5).fill(dropped), accepting], false],
    ['a control target, and no pair',              [accepting], [dropped],                             true],
    ['a silent control target, though a pair would answer', [dropped], [accepting],                    false],
    ['a private control target, as its operator wants', [internal], [],                                true],
    ['a control target that refuses',              [refused],   [],                                    true],
  ]
  describe('a sample', { concurrency: true }, () => {
    for (const [why, controls, pairs, answer] of rows)
      test(`${why}: ${answer}`, async () => {
        const startMs = performance.now()
        assert.equal(await createControlTargets(fixture.outbound, controls).sample(pairs), answer)
        const ms = performance.now() - startMs
        assert.ok(ms < 1_500, `${ms} ms`)
      })
  })

  test('for older schedulers a control target that refuses does not count, and pairs are not asked', async () => {
    assert.equal(await createControlTargets(fixture.outbound, [refused]).reached(), false)
    assert.equal(await createControlTargets(fixture.outbound, [accepting]).reached(), true)
    assert.equal(await createControlTargets(fixture.outbound, []).reached(), null)
  })

  test('an answer to a packet that was sent again does not count: the network may have come back', async () => {
    const returning = createServer((socket) => socket.destroy())
    const { port, close } = await listen(returning, DROPPED)
    after(close)
    const asked = createControlTargets(fixture.outbound, []).sample([`${DROPPED}:${port}`])
    await delay(300)
    execFileSync('nft', ['flush', 'chain', 'inet', 't', 'in'])
    assert.equal(await asked, false)
    assert.equal(
      await createControlTargets(fixture.outbound, []).sample([`${DROPPED}:${port}`]),
      true,
    )
  })

  test('a thousand checks at once share one round, and a later one asks again', async () => {
    const controls = createControlTargets(fixture.outbound, [])
    const before = counts.open
    const answers = await Promise.all(
      Array.from({ length: 1000 }, () => controls.sample([accepting])),
    )
    assert.deepEqual([...new Set(answers)], [true])
    assert.equal(counts.open - before, 1)
    await delay(300)
    assert.equal(await controls.sample([accepting]), true)
    assert.equal(counts.open - before, 2)
  })
}
