// The commands for daily use as real processes, against a fake service with hostile texts in it.
import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { runUpv, startUpv } from '../../test/run-upv.ts'
import { type ExtensionAnswers, serveService, type TestService } from '../../test/serve-service.ts'

const EVIL = 'Shop\u001b[2J\u009b31m\u202e\u0007\nupv: all good'
const OBEYED = /[^\P{Cc}\n]|\p{Cf}|\p{Zl}|\p{Zp}/u

async function start(t: TestContext, answers: ExtensionAnswers = {}): Promise<TestService> {
  const service = await serveService(answers)
  t.after(() => service.close())
  return service
}

const overviewOf = (monitorName: string): object => ({
  at: '2026-11-16T12:00:00.000Z',
  monitors: { all: 1, DOWN: 1, DEGRADED: 0, PENDING: 0, UP: 0, PAUSED: 0 },
  incidents: {
    ongoing: 1,
    unacknowledged: 1,
    latest: [
      {
        id: 'inc_1',
        monitorId: 'mon_1',
        monitorName,
        cause: monitorName,
        causeCode: 'TIMEOUT',
        startedAt: '2026-11-16T11:59:00.000Z',
        acknowledged: false,
      },
    ],
  },
  maintenanceWindows: { now: [], next: [] },
})

test('texts of the service cannot control the terminal, in any command, and JSON keeps them', async (t) => {
  const service = await start(t, { 'GET /overview': overviewOf(EVIL) })
  const { fake, env } = service
  const monitor = fake.add('monitors', { name: EVIL, state: 'DOWN', url: `https://x/${EVIL}` })
  const incident = fake.add('incidents', {
    monitor: { id: monitor.id, name: EVIL, type: 'HTTP' },
    cause: EVIL,
    startedAt: new Date().toISOString(),
    resolvedAt: null,
    timeline: [{ id: 'itl_1', type: 'OPENED', at: '2026-11-16T12:00:00.000Z', message: EVIL }],
  })
  const window = fake.add('maintenanceWindows', { name: EVIL, description: EVIL })
  const page = fake.add('statusPages', { name: EVIL, slug: 'acme', description: EVIL })
  const lines = [
    ['monitors', 'list'],
    ['monitors', 'get', monitor.id],
    ['monitors', 'create', 'shop.example.com', '--name', EVIL],
    ['monitors', 'pause', monitor.id],
    ['incidents', 'list'],
    ['incidents', 'get', incident.id],
    ['incidents', 'acknowledge', incident.id, '--note', 'mine'],
    ['windows', 'list'],
    ['windows', 'get', window.id],
    ['pages', 'list'],
    ['pages', 'get', page.id],
    ['status'],
  ]
  for (const line of lines) {
    const people = await runUpv(line, env)
    assert.equal(people.code, 0, people.stderr)
    assert.doesNotMatch(people.stdout, OBEYED, line.join(' '))
    assert.doesNotMatch(people.stdout, /^upv: all good/m)
    const programs = await runUpv([...line, '--json'], env)
    assert.doesNotMatch(programs.stdout, OBEYED, line.join(' '))
    assert.ok(
      JSON.stringify(JSON.parse(programs.stdout)).includes(JSON.stringify(EVIL).slice(1, -1)),
    )
  }
})

test('secrets of monitors are in no output unless asked for', async (t) => {
  const { fake, env } = await start(t)
  const { id } = fake.add('monitors', {
    name: 'Shop',
    requestHeaders: { Authorization: 'Bearer planted' },
    requestBody: 'planted',
    heartbeatUrl: 'https://x/hb/planted',
  })
  for (const line of [['list'], ['get', id], ['pause', id], ['resume', id], ['check', id]])
    for (const more of [[], ['--json']]) {
      const { code, stdout, stderr } = await runUpv(['monitors', ...line, ...more], env)
      assert.equal(code, 0, stderr)
      assert.doesNotMatch(stdout + stderr, /planted|upv_fake/)
    }
  const { stdout } = await runUpv(['monitors', 'get', id, '--json', '--show-secrets'], env)
  assert.match(stdout, /Bearer planted/)
})

test('login: checks the key, stores it for its owner only, and commands use it', async (t) => {
  const service = await start(t)
  service.fake.add('monitors', { name: 'Shop' })
  const directory = mkdtempSync(join(tmpdir(), 'upvane-login-'))
  t.after(() => rmSync(directory, { recursive: true }))
  const file = join(directory, 'profiles.json')
  const env = { UPVANE_PROFILES_FILE: file }
  const login = ['login', '--url', service.url]

  const wrong = await runUpv(login, env, 'upv_wrong_planted\n')
  assert.equal(wrong.code, 1)
  assert.match(wrong.stderr, /refused the key\. Nothing was stored\./)
  assert.doesNotMatch(wrong.stdout + wrong.stderr, /planted/)
  assert.throws(() => statSync(file))

  const right = await runUpv(login, env, `${service.fake.apiKey}\n`)
  assert.equal(right.code, 0, right.stderr)
  assert.doesNotMatch(right.stdout + right.stderr, /upv_fake/)
  assert.equal(statSync(file).mode & 0o777, 0o600)
  assert.match((await runUpv(['monitors', 'list'], env)).stdout, /Shop/)

  await runUpv([...login, '--profile', 'second'], env, service.fake.apiKey)
  const profiles = await runUpv(['profiles', 'list', '--json'], env)
  assert.deepEqual(JSON.parse(profiles.stdout), [
    { name: 'default', url: service.url, selected: false },
    { name: 'second', url: service.url, selected: true },
  ])
  assert.equal((await runUpv(['profiles', 'use', 'default'], env)).code, 0)
  assert.equal((await runUpv(['logout', '--profile', 'second'], env)).code, 0)
  assert.doesNotMatch(readFileSync(file, 'utf8'), /second/)
  const gone = await runUpv(['monitors', 'list', '--profile', 'second'], env)
  assert.deepEqual(
    [gone.code, gone.stderr],
    [2, 'upv: there is no profile "second". There are: default.\n'],
  )

  chmodSync(file, 0o644)
  const open = await runUpv(['monitors', 'list'], env)
  assert.equal(open.code, 1)
  assert.match(open.stderr, /chmod 600/)
  assert.doesNotMatch(open.stderr, /upv_fake/)
})

test('exit codes: 0 done, 1 failed, 2 wrong call; one line says why', async (t) => {
  const { env, fake } = await start(t)
  const down = fake.add('monitors', { name: 'Down', state: 'PAUSED' })
  // biome-ignore format: a table is read by its columns
  const rows: [line: string[], code: number, stderr: RegExp][] = [
    [['monitors', 'list'],                          0, /^$/],
    [['monitors', 'get', 'Nobody'],                 1, /^upv: there is no monitor "Nobody"\.\n$/],
    [['monitors', 'check', down.id],                1, /^upv: 409 conflict: .*\n$/],
    [['monitors', 'list', '--state', 'SAD'],        2, /^upv: --state must be one of .*\n$/],
    [['monitors', 'delete', down.id],               2, /^upv: .* Add --yes to do it\.\n$/],
    [['incidents', 'list', '--since', 'yesterday'], 2, /^upv: --since must be a duration.*\n$/],
    [['windows', 'start'],                          2, /^upv: give --monitor or --all\.\n$/],
    [['status', '--watch'],                         2, /^upv: --watch needs a terminal\..*\n$/],
    [['deploy', '--', 'true'],                      2, /^upv: name at least one --monitor.*\n$/],
    [['completion', 'tcsh'],                        2, /^upv: choose one of bash, zsh, fish\.\n$/],
  ]
  for (const [line, code, stderr] of rows) {
    const ended = await runUpv(line, env)
    assert.equal(ended.code, code, `${line.join(' ')}: ${ended.stderr}`)
    assert.match(ended.stderr, stderr)
  }
})

test('incidents list: the newest ones, and a note if there are more', async (t) => {
  const { env, fake } = await start(t)
  for (let count = 0; count < 3; count++) fake.add('incidents', { cause: `Cause ${count}` })
  const some = await runUpv(['incidents', 'list', '--limit', '2', '--json'], env)
  assert.equal(some.stderr, 'upv: there are more than 2. --limit shows more.\n')
  const causes = (JSON.parse(some.stdout) as { cause: string }[]).map(({ cause }) => cause)
  assert.deepEqual(causes, ['Cause 2', 'Cause 1'])
  assert.equal((await runUpv(['incidents', 'list', '--limit', '3'], env)).stderr, '')
})

test('a reader that stops reading does not make it fail', async (t) => {
  const { env, fake } = await start(t)
  for (let index = 0; index < 300; index++) fake.add('monitors', { name: `M${index}` })
  const upv = startUpv(['monitors', 'list', '--json'], env)
  upv.process.stdout?.destroy()
  const { code, stderr } = await upv.ended
  assert.deepEqual([code, stderr], [0, ''])
})

test('status --watch --json: a line for each reading, also while the connection is lost', async (t) => {
  const service = await start(t, { 'GET /overview': overviewOf('Shop') })
  const upv = startUpv(['status', '--watch', '--json', '--every', '2s'], service.env)
  t.after(() => upv.stop('SIGKILL'))
  await upv.printed((text) => text.includes('\n'))
  await service.close()
  const stdout = await upv.printed((text) => text.includes('"connected":false'))
  const [first, second] = stdout.split('\n').map((line) => (line ? JSON.parse(line) : null))
  assert.equal(first.connected, true)
  assert.match(second.error, /cannot be reached/)
  assert.deepEqual(second.overview, first.overview, 'the last data, marked as old')
  assert.equal(second.readAt, first.readAt)
  assert.equal((await upv.stop()).code, 0)
})

test('the old name of UPVANE_URL works, with a notice', async (t) => {
  const { url, fake } = await start(t)
  fake.add('monitors', { name: 'Shop' })
  const env = { UPVANE_BASE_URL: url, UPVANE_API_KEY: fake.apiKey }
  const { code, stdout, stderr } = await runUpv(['monitors', 'list'], env)
  assert.equal(code, 0)
  assert.match(stdout, /Shop/)
  assert.equal(
    stderr,
    'upv: UPVANE_BASE_URL is now UPVANE_URL. The old name still works in this version.\n',
  )
})

test('deploy: what a region sees decides, its words cannot control the terminal, and the window ends', async (t) => {
  const service = await start(t)
  const { fake, env, answers } = service
  const { id } = fake.add('monitors', { name: EVIL, state: 'UP' })
  const evidence = { cause: EVIL, attempts: [], responseMs: 1 }
  let result = 'FAILED'
  answers['GET /regions'] = { home: 'eu', data: [{ name: 'eu', live: true }] }
  answers[`GET /monitors/${id}/checks`] = { data: [], next: null }
  answers[`POST /monitors/${id}/checks`] = () => ({ result, region: 'eu', check: evidence })
  const line = ['deploy', '--monitor', id, '--samples', '1', '--', 'echo', 'released']
  const broken = await runUpv(line, env)
  assert.deepEqual([broken.code, broken.stdout], [1, 'released\n'])
  assert.match(broken.stderr, /BROKEN: Shop\uFFFD\[2J/)
  assert.doesNotMatch(broken.stderr, OBEYED)
  result = 'INCONCLUSIVE'
  assert.match((await runUpv(line, env)).stderr, /UNKNOWN: no result from eu\./)
  result = 'OK'
  const good = await runUpv(line, env)
  assert.deepEqual([good.code, good.stdout], [0, 'released\n'])
  const windows = fake.items('maintenanceWindows')
  assert.equal(windows.length, 3)
  for (const { endsAt } of windows) assert.ok(Date.parse(endsAt) <= Date.now())
})

for (const signal of ['SIGINT', 'SIGTERM'] as const)
  test(`deploy: ${signal} reaches the program, and the window ends`, async (t) => {
    const service = await start(t)
    const { id } = service.fake.add('monitors', { name: 'Shop', state: 'UP' })
    service.answers['GET /regions'] = { home: 'eu', data: [{ name: 'eu', live: true }] }
    service.answers[`GET /monitors/${id}/checks`] = { data: [], next: null }
    const line = ['deploy', '--monitor', id, '--', 'sh', '-c', 'echo started; exec sleep 60']
    const running = startUpv(line, service.env)
    await running.printed((stdout) => stdout.includes('started'))
    const { code, stderr } = await running.stop(signal)
    assert.equal(code, 1, stderr)
    assert.match(
      stderr,
      new RegExp(`^upv: roll back: the program was killed by ${signal}\\.$`, 'm'),
    )
    const [window] = service.fake.items('maintenanceWindows')
    assert.ok(Date.parse(window?.endsAt ?? '') <= Date.now(), 'the window has ended')
  })
