// How many requests a plan takes.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import { startBench, startKiller } from './bench.ts'

const MONITORS = Number(process.env['AS_CODE_MONITORS'] ?? 600)
const REQUESTS_AT_ONCE = 20
const MAX_REQUESTS = 5 + MONITORS / 100

const bench = await startBench()
after(() => bench.stop())

test(`planning ${MONITORS} monitors takes at most ${MAX_REQUESTS} requests`, async (t) => {
  const { key } = await bench.product.createOrganization()
  const api = bench.client(key)
  for (let done = 0; done < MONITORS; done += REQUESTS_AT_ONCE)
    await Promise.all(
      Array.from({ length: REQUESTS_AT_ONCE }, (_, at) =>
        api.monitors.create({ name: `Monitor ${done + at}`, type: 'CRON' }),
      ),
    )
  const file = bench.path('many.yaml')
  const exported = await bench.upv(key, ['export', '--source', 'many', '-o', file])
  assert.equal(exported.code, 0, exported.stderr)
  let requests = 0
  const counter = await startKiller(bench.product.service.baseUrl, () => {
    requests += 1
    return 'pass'
  })
  t.after(counter.close)
  const startedAt = Date.now()
  const args = ['plan', '--detailed-exitcode', '-f', file]
  const planned = await counter.run(args, { UPVANE_API_KEY: key })
  t.diagnostic(`${requests} requests, ${Date.now() - startedAt} ms`)
  assert.equal(planned.code, 0, planned.stdout.slice(0, 2_000))
  assert.match(planned.stdout, new RegExp(`${MONITORS} unchanged`))
  assert.ok(requests <= MAX_REQUESTS, `${requests} requests`)
})
