// `upv listen` against the running product: the endpoint exists as long as it listens.
import assert from 'node:assert/strict'
import { after, type TestContext, test } from 'node:test'
import { type Running, runUpv, startUpv } from '../../../cli/test/run-upv.ts'
import { findFreePort } from '../../../tools/services/ports.ts'
import { startWebhookFixture } from '../webhooks/fixture.ts'

const fixture = await startWebhookFixture()
after(() => fixture.stop())

type Line = {
  kind: string
  endpointId: string
  id: string
  type: string
  about: string
  verified: boolean
  timesSeen: number
  answered: number
}

const environment = (key = fixture.keys.full, baseUrl = fixture.service.baseUrl) => ({
  UPVANE_API_KEY: key,
  UPVANE_URL: baseUrl,
})

async function registered(t: TestContext, ...args: string[]) {
  const port = String(await findFreePort())
  const upv = startUpv(['listen', '--register', '--json', '--port', port, ...args], environment())
  t.after(() => upv.stop('SIGKILL'))
  const [first] = await lines(upv, 1)
  assert.equal(first?.kind, 'listening')
  return { upv, endpointId: first.endpointId }
}

async function lines(upv: Running, count: number): Promise<Line[]> {
  const read = (stdout: string) => stdout.split('\n').slice(0, -1)
  const stdout = await upv.printed((text) => read(text).length >= count)
  return read(stdout).map((line) => JSON.parse(line) as Line)
}

test('--register makes an endpoint, verifies what comes, and deletes it at the end', async (t) => {
  const { upv, endpointId } = await registered(t)
  const endpoint = await fixture.api.getEndpoint(endpointId)
  assert.deepEqual([endpoint.description, endpoint.eventTypes], ['upv listen', ['*']])
  await fixture.api.createMonitor({ name: 'Shop' })
  const [, delivery] = await lines(upv, 2)
  assert.deepEqual(
    [delivery?.type, delivery?.about, delivery?.verified, delivery?.answered],
    ['monitor.created', 'Shop (CRON)', true, 204],
  )
  const { code, stdout, stderr } = await upv.stop()
  assert.equal(code, 0)
  assert.match(stderr, /1 received, 1 verified\./)
  assert.doesNotMatch(stdout + stderr, /whsec_|upv_/)
  assert.equal((await fixture.api.get(`/webhook-endpoints/${endpointId}`)).status, 404)
})

test('--status 500 shows how the product tries again, with the same id', async (t) => {
  const { upv, endpointId } = await registered(t, '--status', '500')
  await fixture.api.createMonitor()
  const [, first, second, third] = await lines(upv, 4)
  assert.deepEqual([first?.timesSeen, second?.timesSeen, third?.timesSeen], [1, 2, 3])
  assert.equal(first?.id, third?.id)
  assert.deepEqual([third?.verified, third?.answered], [true, 500])
  await fixture.api.delete(`/webhook-endpoints/${endpointId}`)
  assert.equal((await upv.stop()).code, 0, 'also when somebody else has deleted it')
})

test('what the API refuses ends it with 1, in its words', async () => {
  const strict = await fixture.startApi({ WEBHOOK_ALLOW_HTTP: 'false' })
  // biome-ignore format: a table is read by its columns
  const refusals: [env: Record<string, string>, message: RegExp][] = [
    [environment('upv_wrong'),                    /refused the API key/],
    [environment(fixture.keys.readOnly),            /403 forbidden: /],
    [environment(fixture.keys.full, strict.baseUrl), /400 validation_error: .*url: must start with https:/],
  ]
  for (const [env, message] of refusals) {
    const port = String(await findFreePort())
    const { code, stdout, stderr } = await runUpv(['listen', '--register', '--port', port], env)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, message)
    assert.ok(!stderr.includes(env['UPVANE_API_KEY'] ?? ''))
  }
})
