// An incident as a signed file, checked by `upv verify` offline, and `upv replay`, against the running product.
import assert from 'node:assert/strict'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { runUpv } from '../../../cli/test/run-upv.ts'
import { toUuid } from '../../kit/ids.ts'
import { readJson, startCli, waitFor } from './fixture.ts'

const SECRET = 'planted-secret-4711'
// cli/src/evidence tries every byte; here the whole command runs each time.
const FLIPS = 12

const cli = await startCli()
const home = mkdtempSync(join(tmpdir(), 'upvane-evidence-'))
after(async () => {
  await cli.stop()
  rmSync(home, { recursive: true })
})
const { upvane, web } = cli
const PROFILES = { UPVANE_PROFILES_FILE: join(home, 'profiles.json') }
/** Without an address and a key: as on another machine. */
const offline = (...args: string[]) => runUpv(args, PROFILES)
const online = (...args: string[]) => runUpv(args, { ...cli.environment(), ...PROFILES })

async function outage(name: string) {
  const page = web.page({ status: 503, body: 'upstream connect error' })
  const { id } = await upvane.monitors.create({
    name,
    type: 'HTTP',
    url: `${page.url}?token=${SECRET}`,
    requestHeaders: { Authorization: `Bearer ${SECRET}` },
    intervalSeconds: 86_400,
  })
  await waitFor(`${name} to fail`, async () => (await upvane.monitors.get(id)).state === 'DOWN')
  page.become({})
  await upvane.monitors.check(id)
  const [incident] = await upvane.incidents.list({ monitorId: id }).all()
  return { monitorId: id, incidentId: incident?.id ?? assert.fail('no incident') }
}

test('a downloaded file is genuine offline, by the pinned key and by a given one; a changed byte is found', async () => {
  const { incidentId, monitorId } = await outage('Shop')
  const file = join(home, 'shop.evidence')
  const saved = await online('incidents', 'evidence', incidentId, '--output', file)
  assert.equal(saved.code, 0, saved.stderr)
  assert.equal(
    (await online('incidents', 'evidence', incidentId, '--output', file)).code,
    4,
    'no file is overwritten',
  )

  const unpinned = await offline('verify', file)
  assert.equal(unpinned.code, 2)
  assert.match(unpinned.stderr, /no key of http:\/\/\S+ is pinned/)
  assert.equal((await online('evidence-key', '--pin')).code, 0)
  const verified = await offline('verify', file, '--json')
  assert.equal(verified.code, 0, verified.stderr)
  const summary = JSON.parse(verified.stdout) as Record<string, unknown>
  assert.deepEqual([summary['incidentId'], summary['complete']], [incidentId, true])
  assert.ok(Number(summary['entries']) >= 6, 'checks, observations and timeline')

  const { publicKey } = await readJson<{ publicKey: string }>(cli, ['evidence-key'])
  assert.equal((await offline('verify', file, '--key', publicKey)).code, 0)
  const keyFile = join(home, 'upvane.pub')
  writeFileSync(keyFile, `${publicKey}\n`)
  assert.equal((await offline('verify', file, '--key', keyFile)).code, 0)
  const other = Buffer.alloc(32, 7).toString('base64url')
  assert.equal((await offline('verify', file, '--key', other)).code, 1)
  assert.equal((await offline('verify', file, '--key', 'nonsense')).code, 2)

  const text = readFileSync(file, 'utf8')
  assert.ok(!text.includes(SECRET), 'no query and no header of the monitor is in it')
  await changeBytes(file)
  await assertGone(monitorId, incidentId)
})

/** Changes single bytes all over the file. */
async function changeBytes(file: string): Promise<void> {
  const genuine = readFileSync(file)
  const damaged = join(home, 'damaged.evidence')
  for (let flip = 0; flip <= FLIPS; flip++) {
    const at = Math.round(((genuine.length - 1) * flip) / FLIPS)
    const changed = Buffer.from(genuine)
    changed[at] = (changed[at] ?? 0) ^ 1
    writeFileSync(damaged, changed)
    // In the address of the service, no key is pinned for the file anymore.
    const { code } = await offline('verify', damaged)
    assert.ok(code === 1 || code === 2, `byte ${at}`)
  }
  writeFileSync(
    damaged,
    genuine.toString('utf8').replace('"verdict":"FAILED"', '"verdict":"PASSED"'),
  )
  const refused = await offline('verify', damaged)
  assert.equal(refused.code, 1)
  assert.match(refused.stderr, /is not genuine: line \d+ or line \d+ was changed/)
}

/** Others cannot have it, and nobody once the monitor is deleted. */
async function assertGone(monitorId: string, incidentId: string): Promise<void> {
  const { product } = cli
  const path = `/api/ext/v1/incidents/${incidentId}/evidence-file`
  const stranger = await product.createOrganization()
  assert.equal((await product.api.as(stranger.key).get(path)).status, 404)
  const reader = await product.createKey(product.orgId, { access: 'READ_ONLY' })
  assert.equal((await product.api.as(reader).get(path)).status, 200)
  await upvane.monitors.delete(monitorId)
  assert.equal((await product.api.get(path)).status, 404)
  assert.equal(
    await product.db.count('incident_evidence', 'org_id = $1', [toUuid(product.orgId)]),
    0,
    'nothing of it is left',
  )
}

test('a pinned key is never replaced', async () => {
  const { installation } = await upvane.ext.organization.evidenceKey()
  writeFileSync(
    join(home, 'evidence-keys.json'),
    JSON.stringify({ [installation]: Buffer.alloc(32, 9).toString('base64url') }),
  )
  const refused = await online('evidence-key', '--pin')
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, /another key is pinned/)
  writeFileSync(join(home, 'evidence-keys.json'), '{"x":"y"}')
  assert.equal((await online('evidence-key', '--pin')).code, 1)
})

test('replay: with unchanged settings what was recorded, with others what would have been', async () => {
  await outage('Blog')
  type Replay = {
    incidents: { change: string }[]
    current: object
    replayed: object
    checks: number
  }
  const same = await readJson<Replay>(cli, ['replay', 'Blog'])
  assert.deepEqual(
    same.incidents.map(({ change }) => change),
    ['SAME'],
  )
  assert.deepEqual(same.replayed, same.current)
  const lenient = await readJson<Replay>(cli, ['replay', 'Blog', '--set', 'expectedStatus=200,503'])
  assert.deepEqual(
    lenient.incidents.map(({ change }) => change),
    ['GONE'],
  )
  const text = await online('replay', 'Blog', '--last', '7d')
  assert.equal(text.code, 0, text.stderr)
  assert.match(text.stdout, /Incidents\s+1 \(now 1\)/)
  assert.equal((await online('replay', 'Blog', '--set', 'name=x')).code, 2)
  assert.equal((await online('replay', 'Blog', '--last', '40d')).code, 2)
  assert.notEqual((await online('replay', 'Nobody')).code, 0)
})
