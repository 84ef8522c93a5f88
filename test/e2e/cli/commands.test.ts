// Every command that reads or changes something, through the running product.
import assert from 'node:assert/strict'
import { after, test } from 'node:test'
import type { Incident, IncidentDetail, MaintenanceWindow, Monitor, StatusPage } from '@upvane/sdk'
import { readJson, startCli } from './fixture.ts'

const cli = await startCli()
after(() => cli.stop())
const { upvane, web } = cli

const page = web.page({ status: 503 })
const shop = await upvane.monitors.create({
  name: 'Shop',
  type: 'HTTP',
  url: page.url,
  intervalSeconds: 86_400,
  requestHeaders: { Authorization: 'Bearer planted' },
})
await upvane.monitors.check(shop.id)

test('monitors: list, get, pause, resume, check, by id and by name', async () => {
  const list = await readJson<Monitor[]>(cli, ['monitors', 'list', '--state', 'down'])
  assert.deepEqual(
    list.map(({ id, state }) => [id, state]),
    [[shop.id, 'DOWN']],
  )
  const got = await readJson<Monitor>(cli, ['monitors', 'get', 'shop'])
  const expected = {
    ...(await upvane.monitors.get(shop.id)),
    requestHeaders: { Authorization: '***' },
  }
  assert.deepEqual(got, expected, 'JSON is the resource of the API with hidden secrets')
  const table = await cli.run(['monitors', 'list'])
  assert.match(
    table.stdout,
    /^STATE +NAME +TYPE +TARGET +RESPONSE +CHECKED +ID\nDOWN +Shop +HTTP +http:/,
  )

  const failed = await cli.run(['monitors', 'check', 'Shop'])
  assert.deepEqual([failed.code, failed.stderr], [1, 'upv: down: Shop. "upv status" shows why.\n'])
  page.become({ status: 200 })
  const [checked] = await readJson<Monitor[]>(cli, ['monitors', 'check', shop.id])
  assert.equal(checked?.state, 'UP')
  const [paused] = await readJson<Monitor[]>(cli, ['monitors', 'pause', 'Shop'])
  assert.equal(paused?.state, 'PAUSED')
  const [resumed] = await readJson<Monitor[]>(cli, ['monitors', 'resume', 'Shop'])
  assert.equal(resumed?.state, 'PENDING')
})

test('monitors delete: only with --yes', async () => {
  const { id } = await upvane.monitors.create({ name: 'Old', type: 'CRON' })
  assert.equal((await cli.run(['monitors', 'delete', 'Old'])).code, 2)
  assert.equal((await upvane.monitors.get(id)).name, 'Old')
  const { code, stdout } = await cli.run(['monitors', 'delete', 'Old', '--yes'])
  assert.deepEqual([code, stdout], [0, `Deleted Old (${id}).\n`])
})

test('incidents: list, get, acknowledge', async () => {
  const [incident] = await readJson<Incident[]>(cli, ['incidents', 'list', '--monitor', 'Shop'])
  assert.ok(incident)
  const detail = await readJson<IncidentDetail>(cli, ['incidents', 'get', incident.id])
  assert.deepEqual(detail, await upvane.incidents.get(incident.id))
  const shown = await cli.run(['incidents', 'get', incident.id])
  assert.match(shown.stdout, /^Cause +HTTP 503, expected /m)
  const acknowledge = ['incidents', 'acknowledge', incident.id, '--note', 'Mine']
  const done = await readJson<IncidentDetail>(cli, acknowledge)
  assert.deepEqual([done.acknowledged, done.acknowledgeNote], [true, 'Mine'])
  const open = ['incidents', 'list', '--unacknowledged', '--since', '1h']
  assert.deepEqual(await readJson(cli, open), [])
})

test('windows: start, list, get, end, delete', async () => {
  const start = ['windows', 'start', '--monitor', 'Shop', '--for', '30m', '--name', 'Patches']
  const window = await readJson<MaintenanceWindow>(cli, start)
  assert.deepEqual([window.status, window.monitorIds], ['ACTIVE', [shop.id]])
  const listed = ['windows', 'list', '--status', 'ACTIVE', '--monitor', 'Shop']
  const [active] = await readJson<MaintenanceWindow[]>(cli, listed)
  assert.equal(active?.id, window.id)
  assert.equal(
    (await readJson<MaintenanceWindow>(cli, ['windows', 'get', 'patches'])).id,
    window.id,
  )
  const ended = await readJson<MaintenanceWindow>(cli, ['windows', 'end', window.id])
  assert.equal(ended.status, 'COMPLETED')
  const again = await cli.run(['windows', 'end', window.id])
  assert.deepEqual([again.code, again.stderr], [1, 'upv: Patches is COMPLETED, not ACTIVE.\n'])
  assert.equal((await cli.run(['windows', 'delete', window.id, '--yes'])).code, 0)
})

test('pages: list, get by slug', async () => {
  const sections = [{ name: 'Store', components: [{ name: 'Checkout', monitorId: shop.id }] }]
  const { id } = await upvane.statusPages.create({ name: 'Public', slug: 'acme-shop', sections })
  const [listed] = await readJson<StatusPage[]>(cli, ['pages', 'list'])
  assert.equal(listed?.id, id)
  assert.equal((await readJson<StatusPage>(cli, ['pages', 'get', 'acme-shop'])).id, id)
  const { stdout } = await cli.run(['pages', 'get', 'public'])
  assert.match(stdout, /^STATE +SECTION +COMPONENT\n\w+ +Store +Checkout$/m)
})

test('check: an address from the service, without saving it', async () => {
  const before = await upvane.monitors.list().all()
  const good = web.page({ status: 200 })
  const passed = await cli.run(['check', good.url])
  assert.deepEqual([passed.code, passed.stderr], [0, ''])
  assert.match(passed.stdout, /^Result +OK\n/)
  const failed = await cli.run(['check', web.page({ status: 500 }).url, '--json'])
  assert.deepEqual([failed.code, failed.stderr], [1, 'upv: the check failed.\n'])
  const { result, check } = JSON.parse(failed.stdout) as {
    result: string
    check: { httpStatus: number }
  }
  assert.deepEqual([result, check.httpStatus], ['FAILED', 500])
  assert.deepEqual(await upvane.monitors.list().all(), before)
  const refused = await cli.run(['check', good.url], cli.product.keys.readOnly)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /^upv: 403 forbidden: /)
  const nowhere = await cli.run(['check', good.url, '--region', 'atlantis'])
  assert.match(nowhere.stderr, /400 validation_error: .*region: is not a region/)
})

test('status: counts, incidents, maintenance', async () => {
  const status = await readJson<{ connected: boolean; overview: { monitors: { all: number } } }>(
    cli,
    ['status'],
  )
  assert.equal(status.connected, true)
  assert.ok(status.overview.monitors.all >= 1)
  const { stdout } = await cli.run(['status'])
  assert.match(stdout, /^\d+ down {2}\d+ degraded {2}\d+ up {2}\d+ pending {2}\d+ paused\n/)
})

test('the key never appears: wrong, read-only and right ones, in every command that failed', async () => {
  const wrong = 'upv_planted00000000000000000000000000'
  for (const line of [['monitors', 'list'], ['status'], ['check', page.url], ['pages', 'list']]) {
    const { code, stdout, stderr } = await cli.run(line, wrong)
    assert.deepEqual([code, stdout], [1, ''])
    assert.match(stderr, /^upv: the service refused the API key in UPVANE_API_KEY\./)
    assert.doesNotMatch(stderr, /planted/)
  }
  const { code, stderr } = await cli.run(['monitors', 'pause', 'Shop'], cli.product.keys.readOnly)
  assert.equal(code, 1)
  assert.match(stderr, /^upv: 403 forbidden: /)
})
