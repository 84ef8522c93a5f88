import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CALM, shardsOfRound, signalOf, troublesOf, watchOn } from './self-watch.ts'

const WELL = { hasScheduler: true, lateShards: 0, hasUntold: false }

test('what is seen becomes words', () => {
  // biome-ignore format: a table is read by its columns
  const rows: [Parameters<typeof troublesOf>[0], own: string[], words: string[]][] = [
    [WELL,                             [],      []],
    [undefined,                        [],      ['The database does not answer']],
    [{ ...WELL, hasScheduler: false }, [],      ['No scheduler is running']],
    [{ ...WELL, lateShards: 3 },       ['own'], ['Checks are late', 'own']],
    [{ ...WELL, hasUntold: true },     [],      ['Alerts are not being sent']],
  ]
  for (const [look, own, words] of rows) assert.deepEqual(troublesOf(look, own), words)
})

/** One letter a second: what was seen, and what the heartbeat says. */
function live(seen: string, patienceSeconds: number): { said: string; since: number[] } {
  let watch = CALM
  let said = ''
  const since: number[] = []
  for (const [second, letter] of [...seen].entries()) {
    const troubles = letter === 'x' ? ['late'] : []
    const before = watch
    const now = new Date(second * 1000)
    watch = watchOn(watch, troubles, { now, patienceMs: patienceSeconds * 1000 })
    said += { WELL: '.', FAIL: 'F', '': '?' }[signalOf(watch) ?? '']
    if (watch.isTroubled && !before.isTroubled) since.push((watch.since?.getTime() ?? 0) / 1000)
  }
  return { said, since }
}

// biome-ignore format: a table is read by its columns
const rows: [seen: string, patienceSeconds: number, said: string, since: number[]][] = [
  ['......',     2, '......',     []],
  ['.x..xx..',   2, '.?..??..',   []], // hiccups
  ['.xxxx...',   2, '.??FFFF.',   [1]],
  ['xxxx.xx...', 2, '??FFFFFFF.', [0]], // a moment of peace is no end
  ['xxx...xxx',  2, '??FFF.??F',  [0, 6]],
  ['x.',         0, 'F.',         [0]],
]
for (const [seen, patience, said, since] of rows)
  test(`${seen} with ${patience} s of patience is told as ${said}`, () => {
    assert.deepEqual(live(seen, patience), { said, since })
  })

test('shards: all of a small installation at once, all of a large one in turn', () => {
  assert.equal(new Set(shardsOfRound(-1, 7)).size, 256)
  assert.equal(new Set(shardsOfRound(20_000, 0)).size, 256)
  const count = shardsOfRound(1_000_000, 0).length
  assert.ok(count >= 1 && count <= 6, `${count}`)
  const seen = new Set<number>()
  for (let round = 0; round < Math.ceil(256 / count); round++)
    for (const shard of shardsOfRound(1_000_000, round)) seen.add(shard)
  assert.equal(seen.size, 256)
})
