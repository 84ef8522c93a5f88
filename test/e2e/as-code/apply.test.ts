// Configuration files against the running product: the way of a file from its first apply to its last.
import assert from 'node:assert/strict'
import { readFileSync, statSync } from 'node:fs'
import { after, test } from 'node:test'
import { startBench } from './bench.ts'

const bench = await startBench()
after(() => bench.stop())
const { product, upv } = bench

const SECRETS = { TOKEN: 'planted-token-1', BOT: 'planted-bot-1', PAGE: 'planted-page-1' }
const FILE = `version: 1
source: shop
defaults: { monitor: { intervalSeconds: 600 } }
contacts:
  ops:
    name: Ops
    channel: TELEGRAM
    settings: { chatId: "-100", botToken: "\${env:BOT}" }
  mail: { name: Mail, channel: EMAIL, settings: { address: Ops@Example.com } }
tags:
  prod: { name: Production, escalation: [{ afterMinutes: 15, contacts: [mail] }] }
monitors:
  checkout: # the important one
    name: Checkout
    type: HTTP
    url: https://shop.example.com/health
    requestHeaders: { Authorization: "Bearer \${env:TOKEN}" }
    expectedStatus: [200-204, 301]
    tags: [prod]
    contacts: [ops]
  nightly: { name: Nightly, type: CRON, paused: true }
statusPages:
  public:
    name: Example Shop
    password: "\${env:PAGE}"
    sections:
      - name: Shop
        components: [{ monitor: checkout }, { name: By hand, manualState: DEGRADED }]
maintenanceWindows:
  sunday:
    name: Patches
    startsAt: 2036-12-07T02:00:00+01:00
    endsAt: 2036-12-07T03:00:00+01:00
    timezone: Europe/Berlin
    recurrence: { frequency: WEEKLY }
    monitors: [checkout]
    statusPages: [public]
webhookEndpoints:
  ops: { url: https://ops.example.com/hooks, eventTypes: [incident.opened] }
`
const RESOURCES = 8

test('a file from its first apply to its last', async (t) => {
  const { id: organizationId, key } = await product.createOrganization()
  const api = bench.client(key)
  const file = bench.write('upvane.yaml', FILE)
  const outputs: string[] = []
  const run = async (args: string[], env: Record<string, string> = SECRETS) => {
    const ended = await upv(key, [...args, '-f', file], env)
    outputs.push(ended.stdout, ended.stderr)
    return ended
  }

  await t.test('validate: names the variables that are not set; plan refuses them', async () => {
    const env = { TOKEN: 'planted-token-1' }
    const valid = await run(['validate'], env)
    assert.equal(valid.code, 0, valid.stderr)
    assert.match(valid.stderr, /^Not set, and needed by plan and apply: BOT, PAGE\.$/m)
    assert.equal((await run(['validate'])).stderr, '')
    const { code, stderr } = await run(['plan'], env)
    assert.equal(code, 2)
    assert.match(stderr, /upvane\.yaml:8:\d+: contacts\.ops\.settings\.botToken needs .* BOT/)
    assert.match(stderr, /PAGE/)
  })

  await t.test('plan: everything is to be created, and nothing happens', async () => {
    const { code, stdout } = await run(['plan', '--detailed-exitcode'])
    assert.equal(code, 3)
    assert.match(stdout, new RegExp(`${RESOURCES} to create, 0 to change`))
    assert.match(stdout, /^ {2}\+ {5}url "https:\/\/shop\.example\.com\/health"$/m)
    assert.match(stdout, /^ {2}\+ {5}contacts \["ops"\]$/m)
    assert.match(stdout, /^ {2}\+ {5}settings\.botToken \(hidden\)$/m)
    assert.equal((await api.monitors.list().all()).length, 0)
  })

  await t.test('apply: needs --yes without a terminal', async () => {
    assert.equal((await run(['apply'])).code, 2)
  })

  await t.test('apply: creates, keeps signing secrets in a private file, and is done', async () => {
    const secrets = bench.path('secrets.json')
    const { code, stdout, stderr } = await run(['apply', '--yes', '--secrets-file', secrets])
    assert.equal(code, 0, stderr)
    assert.match(stdout, new RegExp(`${RESOURCES} done, 0 failed`))
    assert.match(
      readFileSync(secrets, 'utf8'),
      /"address":"webhookEndpoints\.ops","secret":"whsec_/,
    )
    assert.equal(statSync(secrets).mode & 0o777, 0o600)
    const again = await run(['plan', '--detailed-exitcode'])
    assert.equal(again.code, 0, again.stdout)
    assert.match(again.stdout, /0 to create, 0 to change, 0 to remove, 8 unchanged/)
  })

  await t.test('what was created is what the file says', async () => {
    const monitors = await api.monitors.list().all()
    const checkout = monitors.find(({ name }) => name === 'Checkout')
    assert.deepEqual(checkout?.expectedStatus, [200, 201, 202, 203, 204, 301])
    assert.deepEqual(checkout?.requestHeaders, { Authorization: 'Bearer planted-token-1' })
    assert.equal(checkout?.intervalSeconds, 600)
    assert.equal(monitors.find(({ name }) => name === 'Nightly')?.state, 'PAUSED')
    type Details = { data: { name: string; tags: { name: string }[]; alertContactIds: string[] }[] }
    const { data } = await api.request<Details>('GET', '/api/ext/v1/monitors')
    const details = data.find(({ name }) => name === 'Checkout')
    assert.deepEqual(
      details?.tags.map(({ name }) => name),
      ['Production'],
    )
    assert.equal(details?.alertContactIds.length, 1)
    const [page] = await api.statusPages.list().all()
    assert.equal(page?.passwordProtected, true)
    assert.deepEqual(
      page?.sections[0]?.components.map(({ name }) => name),
      ['Checkout', 'By hand'],
    )
  })

  await t.test('escalation: steps are sent, kept when left out, and deleted', async () => {
    const policies = () => api.ext.escalationPolicies.list().all()
    const shown = async () =>
      (await policies()).map(({ targetName, steps }) => [
        targetName,
        ...steps.map(({ afterMinutes }) => afterMinutes),
      ])
    assert.deepEqual(await shown(), [['Production', 15]])
    const steps = 'escalation: [{ afterMinutes: 15, contacts: [mail] }]'
    const later = `escalation: [{ afterMinutes: 20, contacts: [mail] }, { afterMinutes: 60, contacts: [ops] }]`
    bench.write('upvane.yaml', FILE.replace(steps, later).replace('paused: true', later))
    const planned = await run(['plan'])
    assert.match(planned.stdout, /escalation .*"contacts":\["ops"\]/)
    assert.equal((await run(['apply', '--yes'])).code, 0)
    assert.deepEqual(await shown(), [
      ['Production', 20, 60],
      ['Nightly', 20, 60],
    ])
    assert.equal((await run(['plan', '--detailed-exitcode'])).code, 0)
    bench.write(
      'upvane.yaml',
      FILE.replace(`, ${steps}`, '').replace('paused: true', 'escalation: []'),
    )
    assert.equal((await run(['apply', '--yes'])).code, 0)
    assert.deepEqual(await shown(), [['Production', 20, 60]])
    bench.write('upvane.yaml', FILE)
    assert.equal((await run(['apply', '--yes'])).code, 0)
    assert.deepEqual(await shown(), [['Production', 15]])
  })

  await t.test('an edit outside of the file is drift, and is put back', async () => {
    const [found] = await api.monitors.list({ q: 'Checkout' }).all()
    assert.ok(found)
    const editor = await product.createKey(organizationId, { name: 'Editor' })
    await bench.client(editor).monitors.update(found.id, {
      intervalSeconds: 60,
      requestHeaders: { A: 'planted-edit' },
    })
    const { code, stdout } = await run(['plan', '--detailed-exitcode'])
    assert.equal(code, 3)
    assert.match(stdout, /intervalSeconds 60 -> 600/)
    assert.match(stdout, /requestHeaders\.Authorization \(hidden, differs\)/)
    assert.match(stdout, /drift: changed outside of this file, last on \d{4}-\d\d-\d\d by Editor$/m)
    assert.equal((await run(['apply', '--yes'])).code, 0)
    assert.equal((await api.monitors.get(found.id)).intervalSeconds, 600)
    assert.equal((await run(['plan', '--detailed-exitcode'])).code, 0)
  })

  await t.test('a changed secret that cannot be read is sent, another time it is not', async () => {
    const changed = { ...SECRETS, BOT: 'planted-bot-2', PAGE: 'planted-page-2' }
    const planned = await run(['plan', '--json'], changed)
    const steps = (JSON.parse(planned.stdout) as { steps: { address: string }[] }).steps
    assert.deepEqual(
      steps.map(({ address }) => address),
      ['contacts.ops', 'statusPages.public'],
    )
    assert.equal((await run(['apply', '--yes'], changed)).code, 0)
    assert.equal((await run(['plan', '--detailed-exitcode'], changed)).code, 0)
    assert.equal((await run(['apply', '--yes'])).code, 0, 'and back')
  })

  await t.test('a saved plan is refused when something moved', async () => {
    bench.write('upvane.yaml', FILE.replace('name: Nightly', 'name: Nightly backup'))
    const saved = bench.path('plan.json')
    assert.equal((await run(['plan', '-o', saved])).code, 0)
    outputs.push(readFileSync(saved, 'utf8'))
    const [nightly] = await api.monitors.list({ q: 'Nightly' }).all()
    assert.ok(nightly)
    await api.monitors.update(nightly.id, { graceSeconds: 120 })
    const refused = await run(['apply', '--yes', '--plan', saved])
    assert.equal(refused.code, 4)
    assert.equal((await api.monitors.get(nightly.id)).name, 'Nightly')
    assert.equal((await run(['plan', '-o', saved])).code, 0)
    assert.equal((await run(['apply', '--yes', '--plan', saved])).code, 0)
    assert.equal((await api.monitors.get(nightly.id)).name, 'Nightly backup')
  })

  await t.test('a read-only key can plan, and not apply', async () => {
    const reader = await product.createKey(organizationId, { access: 'READ_ONLY' })
    bench.write('upvane.yaml', FILE)
    const planned = await upv(reader, ['plan', '--detailed-exitcode', '-f', file], SECRETS)
    assert.equal(planned.code, 3, planned.stderr)
    const applied = await upv(reader, ['apply', '--yes', '-f', file], SECRETS)
    assert.equal(applied.code, 1)
    assert.match(applied.stderr, /forbidden/)
    outputs.push(planned.stdout, planned.stderr, applied.stdout, applied.stderr)
  })

  await t.test(
    'what leaves the file is kept, and deleted only when the number is said',
    async () => {
      bench.write('upvane.yaml', 'version: 1\nsource: shop\n')
      const kept = await run(['apply', '--yes'])
      assert.equal(kept.code, 0, kept.stderr)
      const refused = await run(['apply', '--yes', '--prune=delete'])
      assert.equal(refused.code, 4)
      assert.match(refused.stderr, /--max-removals 8/)
      assert.equal((await api.monitors.list().all()).length, 2)
      const done = await run(['apply', '--yes', '--prune=delete', '--max-removals', '8'])
      assert.equal(done.code, 0, done.stderr)
      const counts = [
        (await api.monitors.list().all()).length,
        (await api.statusPages.list().all()).length,
        (await api.maintenanceWindows.list().all()).length,
        (await api.webhookEndpoints.list().all()).length,
      ]
      assert.deepEqual(counts, [0, 0, 0, 0])
    },
  )

  await t.test('what was deleted on purpose is created again, and not replayed', async () => {
    bench.write('upvane.yaml', FILE)
    const { code, stderr } = await run(['apply', '--yes'])
    assert.equal(code, 0, stderr)
    assert.equal((await api.monitors.list().all()).length, 2)
    const [checkout] = await api.monitors.list({ q: 'Checkout' }).all()
    assert.ok(checkout)
    await api.monitors.delete(checkout.id)
    const refused = await run(['apply', '--yes'])
    assert.equal(refused.code, 4)
    assert.match(refused.stderr, /--recreate/)
    assert.equal((await run(['apply', '--yes', '--recreate'])).code, 0)
    const [second] = await api.monitors.list({ q: 'Checkout' }).all()
    assert.notEqual(second?.id, checkout.id)
    assert.equal((await run(['plan', '--detailed-exitcode'])).code, 0)
  })

  await t.test('no secret is in any output', () => {
    const all = outputs.join('\n')
    assert.ok(all.length > 5_000)
    assert.ok(
      !all.includes('planted'),
      all.slice(Math.max(0, all.indexOf('planted') - 200)).slice(0, 400),
    )
    assert.ok(!all.includes('whsec_') && !all.includes(key))
  })
})

test('two sources never touch each other’s resources', async () => {
  const { key } = await product.createOrganization()
  const api = bench.client(key)
  const text = (source: string, names: string[]) =>
    `version: 1\nsource: ${source}\nmonitors:\n${names.map((name) => `  ${name}: { name: ${name}, type: CRON }\n`).join('')}`
  const one = bench.write('one.yaml', text('one', ['a', 'b']))
  const two = bench.write('two.yaml', text('two', ['b', 'c']))
  assert.equal((await upv(key, ['apply', '--yes', '-f', one])).code, 0)
  const refused = await upv(key, ['plan', '-f', two])
  assert.equal(refused.code, 4, refused.stdout)
  assert.match(refused.stdout, /looks the same and is managed by one as monitors\.b\./)
  for (const more of [[], ['--adopt']])
    assert.equal((await upv(key, ['apply', '--yes', ...more, '-f', two])).code, 4)
  assert.equal((await upv(key, ['apply', '--yes', '--allow-twins', '-f', two])).code, 0)
  const names = async () => (await api.monitors.list().all()).map(({ name }) => name).toSorted()
  assert.deepEqual(await names(), ['a', 'b', 'b', 'c'])
  const exported = await upv(key, ['export', '--source', 'three', '-o', bench.path('three.yaml')])
  assert.equal(exported.code, 0, exported.stderr)
  assert.match(exported.stderr, /Left out: 2 managed by one\./)
  assert.match(exported.stderr, /^0 resources/m)
  const [first] = await api.monitors.list({ q: 'a' }).all()
  const stolen = await upv(key, ['adopt', '-f', two, 'monitors.c', first?.id ?? ''])
  assert.equal(stolen.code, 4, stolen.stderr)
  assert.match(stolen.stderr, /is managed by one\. Run "upv forget --source one monitors\.a" first/)
  bench.write('two.yaml', 'version: 1\nsource: two\n')
  const pruned = await upv(key, ['apply', '--yes', '--prune=delete', '--max-removals=2', '-f', two])
  assert.equal(pruned.code, 0, pruned.stderr)
  assert.deepEqual(await names(), ['a', 'b'])
})

test('a source without monitors keeps its resources, also from an export', async () => {
  const { key } = await product.createOrganization()
  const contact = 'channel: EMAIL, settings: { address: ops@example.com }'
  const text = (source: string) =>
    `version: 1\nsource: ${source}\ncontacts: { ops: { name: Ops, ${contact} } }\ntags: { t: { name: ${source} } }\n`
  const one = bench.write('people.yaml', text('people'))
  assert.equal((await upv(key, ['apply', '--yes', '-f', one])).code, 0)
  const two = bench.write('others.yaml', text('others'))
  const planned = await upv(key, ['plan', '--detailed-exitcode', '-f', two])
  assert.equal(planned.code, 4, planned.stdout)
  assert.match(planned.stdout, /act_\w+ looks the same and is managed by people as contacts\.ops/)
  assert.match(planned.stdout, /\+ tags\.t +create others/)
  const shown = await upv(key, ['export', '--source', 'all'])
  assert.equal(shown.code, 0, shown.stderr)
  assert.match(shown.stderr, /Left out: 2 managed by people\./)
  await bench.client(key).monitors.create({ name: 'Free', type: 'CRON' })
  const looked = await upv(key, ['export', '--source', 'all'])
  assert.match(looked.stdout, /name: Free/)
  assert.match(looked.stderr, /^1 resource\.$/m)
  const taken = await upv(key, ['export', '--source', 'rest', '-o', bench.path('rest.yaml')])
  assert.equal(taken.code, 0, `an export that is only shown binds nothing: ${taken.stderr}`)
  assert.match(taken.stderr, /^1 resource, managed by rest from now on\.$/m)
})

test('forget, and sources: what no file manages any more stays, and may be managed by another', async () => {
  const { key } = await product.createOrganization()
  const text = (source: string) =>
    `version: 1\nsource: ${source}\nmonitors:\n  a: { name: A, type: CRON }\n  b: { name: B, type: CRON }\n`
  const one = bench.write('one.yaml', text('one'))
  const two = bench.write('two.yaml', text('two'))
  const run = async (args: string[], code = 0) => {
    const ended = await upv(key, args)
    assert.equal(ended.code, code, `${args.join(' ')}: ${ended.stdout}${ended.stderr}`)
    return ended
  }
  await run(['apply', '--yes', '-f', one])
  assert.match((await run(['sources', 'list'])).stdout, /^one +2 /m)
  await run(['forget', 'monitors.c', '-f', one], 2)
  const forgotten = await run(['forget', 'monitors.a', '-f', one])
  assert.match(forgotten.stdout, /^one has forgotten monitors\.a\. mon_\w+ stays/)
  await run(['plan', '-f', one], 4)
  await run(['forget', '--source', 'one', 'monitors.b'])
  await run(['apply', '--yes', '--adopt', '-f', two])
  assert.equal((await bench.client(key).monitors.list().all()).length, 2)
  await run(['sources', 'delete', 'two'], 4)
  await run(['sources', 'delete', 'nope', '--yes'], 2)
  await run(['sources', 'delete', 'two', '--yes'])
  assert.equal((await bench.client(key).monitors.list().all()).length, 2)
  const listed = (await run(['sources', 'list', '--json'])).stdout
  assert.ok(!listed.includes('"two"'), listed)
})

test('a read-only key that has nothing to do is done', async () => {
  const { key, id } = await product.createOrganization()
  const file = bench.write(
    'done.yaml',
    'version: 1\nsource: done\nmonitors: { a: { name: A, type: CRON } }\n',
  )
  assert.equal((await upv(key, ['apply', '--yes', '-f', file])).code, 0)
  const reader = await product.createKey(id, { access: 'READ_ONLY' })
  const { code, stdout, stderr } = await upv(reader, ['apply', '--yes', '-f', file])
  assert.equal(code, 0, stderr)
  assert.match(stdout, /^Nothing to do\.$/m)
})

test('something that is there is adopted, by hand or all at once', async () => {
  const { key } = await product.createOrganization()
  const { id } = await bench.client(key).monitors.create({ name: 'Old', type: 'CRON' })
  const file = bench.write(
    'adopt.yaml',
    'version: 1\nsource: s\nmonitors: { old: { name: Old, type: CRON } }\n',
  )
  const refused = await upv(key, ['apply', '--yes', '-f', file])
  assert.equal(refused.code, 4)
  assert.match(refused.stderr, new RegExp(`upv adopt monitors\\.old ${id}`))
  assert.equal((await upv(key, ['adopt', '-f', file, 'monitors.old', id])).code, 0)
  assert.equal((await upv(key, ['plan', '--detailed-exitcode', '-f', file])).code, 0)
  for (const [option, count] of [['--adopt', 1] as const, ['--allow-twins', 2] as const]) {
    const other = await product.createOrganization()
    const api = bench.client(other.key)
    await api.monitors.create({ name: 'Old', type: 'CRON' })
    const applied = await upv(other.key, ['apply', '--yes', option, '-f', file])
    assert.equal(applied.code, 0, applied.stderr)
    assert.equal((await api.monitors.list().all()).length, count, option)
    assert.equal((await upv(other.key, ['plan', '--detailed-exitcode', '-f', file])).code, 0)
  }
})

test('a failure stops only what depends on it, and the next apply continues', async () => {
  const { key } = await product.createOrganization()
  const text = (slug: string) => `version: 1
source: s
statusPages:
  wrong: { name: Wrong, slug: ${slug} }
  right: { name: Right }
maintenanceWindows:
  w: { name: W, startsAt: 2036-12-07T02:00:00Z, endsAt: 2036-12-07T03:00:00Z, allMonitors: true, statusPages: [wrong] }
`
  const { key: other } = await product.createOrganization()
  const slug = `taken-${Date.now()}`
  await bench.client(other).statusPages.create({ name: 'First', slug })
  const file = bench.write('failing.yaml', text(slug))
  const failed = await upv(key, ['apply', '--yes', '-f', file])
  assert.equal(failed.code, 1)
  assert.match(failed.stdout, /1 done, 1 failed, 1 left out/)
  assert.match(failed.stderr, /statusPages\.wrong: failed: .*conflict/)
  assert.match(failed.stderr, /maintenanceWindows\.w: skipped: statusPages\.wrong does not exist/)
  bench.write('failing.yaml', text(`free-${Date.now()}`))
  const continued = await upv(key, ['apply', '--yes', '-f', file])
  assert.equal(continued.code, 0, continued.stderr)
  assert.equal((await bench.client(key).statusPages.list().all()).length, 2)
})
