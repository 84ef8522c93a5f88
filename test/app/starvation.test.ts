// What one person does with one session, as fast as they can, slows down nobody else.
import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import type { Answer } from '../kit/answer.ts'
import { type AppBench, startAppBench } from './bench.ts'

// Hashing takes a core of a machine that has few, so the bound is generous; without its guards it was seconds.
const QUICK_MS = 300
const PASSWORD_CHANGES = 60

let bench: AppBench
before(async () => {
  bench = await startAppBench()
})
after(() => bench.stop())

async function timesOf(count: number, ask: () => Promise<Answer>): Promise<number[]> {
  const times: number[] = []
  for (let n = 0; n < count; n++) {
    const startMs = performance.now()
    const { status } = await ask()
    times.push(performance.now() - startMs)
    assert.equal(status, 200)
  }
  return times
}

const median = (values: readonly number[]): number =>
  values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

describe('one session of another organization', () => {
  test('60 parallel password changes of a page: lists stay quick, and all are done', async () => {
    const attacker = await bench.createOrganization('FREE')
    const { visitor } = await bench.join(attacker.id, 'OWNER')
    const path = `/organizations/${attacker.id}/status-pages`
    const made = await visitor.post(path, { name: 'Status' })
    const { id } = made.json as { id: string }
    const list = () => bench.api.get('/monitors')
    await list()
    const quiet = median(await timesOf(20, list))

    let isOver = false
    const change = async (n: number) => {
      for (let round = 0; !isOver; round++) {
        const password = `a long password ${n} ${round}`
        assert.equal((await visitor.patch(`${path}/${id}`, { password })).status, 200)
      }
    }
    const changes = Array.from({ length: PASSWORD_CHANGES }, (_, n) => change(n))
    await delay(500)
    const busy = await timesOf(20, list)
    isOver = true
    await Promise.all(changes)
    const bound = Math.max(10 * quiet, QUICK_MS)
    assert.ok(median(busy) < bound, `${median(busy)} ms, in quiet ${quiet} ms`)
  })
})
