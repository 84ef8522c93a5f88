// Several machines with a real systemd: a service with a remote database, moving it to another machine as
// docs/operating/install.md describes, and a machine that only runs a probe. Part of `npm run long deploy`.
import assert from 'node:assert/strict'
import { copyFileSync, cpSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { getNatsServer } from '../../tools/services/executables.ts'
import { getDebianHost } from './base.ts'
import { readBlocks } from './document.ts'
import { skipUnlessLong } from './large.ts'
import { Machine } from './machine.ts'
import { getRelease, ROOT, VERSION } from './release.ts'

const DOCUMENT = join(ROOT, 'docs/operating/install.md')
const ORIGIN = 'https://upvane.example.com'
const SIGN_IN = join(import.meta.dirname, 'sign-in.ts')
const INSTALL = `/opt/upvane-${VERSION}/deploy/install.sh`
const DOCTOR = 'runuser -u upvane -- upvane doctor'
const MOVED_FILES = ['upvane.dump', 'upvane.dump.json', 'upvane-etc.tar.gz']
const skip = skipUnlessLong('systemd')

const machines: Machine[] = []
after(() => Promise.all(machines.map((machine) => machine.stop())))

async function bootWithArchive(): Promise<Machine> {
  const { archive } = await getRelease()
  const machine = await Machine.boot(await getDebianHost(DOCUMENT))
  machines.push(machine)
  cpSync(archive, join(machine.root, 'root/upvane.tar.gz'))
  await machine.run('tar -xzf upvane.tar.gz -C /opt')
  return machine
}

async function isSound(machine: Machine): Promise<void> {
  // Problems reported during the first seconds clear a little later.
  const url = 'http://127.0.0.1:8099/readyz'
  await machine.run(`curl -sf --retry 40 --retry-all-errors --retry-delay 1 ${url}
    for _ in $(seq 20); do ${DOCTOR} > /tmp/doctor && exit 0; sleep 1; done; cat /tmp/doctor; exit 1`)
}

test('install.sh --database stops once with roles.sql, then installs against that server', {
  skip,
}, async () => {
  const machine = await bootWithArchive()
  const install = `${INSTALL} --base-url ${ORIGIN} --database localhost:5432`
  const first = await machine.tryRun(install)
  assert.equal(first.code, 1, first.stdout)
  assert.match(
    first.stderr,
    /run \/etc\/upvane\/secrets\/roles\.sql on localhost:5432 as its admin/,
  )
  await machine.run('test ! -e /opt/upvane; su postgres -c psql < /etc/upvane/secrets/roles.sql')
  const printed = await machine.run(install)
  const link = /create the first account: (\S+)/.exec(printed)?.[1] ?? ''
  const base = 'http://127.0.0.1:8080'
  assert.match(
    await machine.runInNetwork([process.execPath, SIGN_IN, base, link, ORIGIN]),
    /signed in/,
  )
  await isSound(machine)
  await machine.run('test ! -e /etc/upvane/secrets/roles.sql')
})

test('it moves to another machine as documented, and the same person can sign in', {
  skip,
}, async () => {
  const [old] = machines
  assert.ok(old !== undefined, 'the test above installs it')
  const blocks = readBlocks(DOCUMENT).filter(({ mark }) => mark === 'test=machines.test.ts')
  const [leave = '', arrive = ''] = blocks.map(({ text }) => text)
  assert.equal(blocks.length, 2)
  await old.run(leave)
  const machine = await bootWithArchive()
  for (const name of MOVED_FILES)
    copyFileSync(join(old.root, 'root', name), join(machine.root, 'root', name))
  await machine.run(arrive)
  await isSound(machine)
  const base = 'http://127.0.0.1:8080'
  const command = [process.execPath, SIGN_IN, base, '-', ORIGIN]
  assert.match(await machine.runInNetwork(command), /signed in/)
  const secrets = await machine.run('stat -c "%a %U:%G %n" /etc/upvane/secrets/*')
  assert.match(secrets, /^440 root:upvane \S+master_keys$/m)
  assert.match(secrets, /^400 root:upvane \S+migrate_database_url$/m)
})

test('install.sh --probe: what it says leads to a probe that runs and a sound doctor', {
  skip,
}, async () => {
  const machine = await bootWithArchive()
  copyFileSync(getNatsServer(), join(machine.root, 'usr/local/sbin/nats-server'))
  await machine.run('chmod 755 /usr/local/sbin/nats-server')
  const printed = await machine.run(`${INSTALL} --probe`)
  assert.match(printed, /join with a token: runuser -u upvane -- upvane probe join/)
  const alone = await machine.tryRun(DOCTOR)
  assert.equal(alone.code, 1, alone.stdout)
  assert.match(alone.stdout, /^fail +NATS +This probe has not joined: .+ Run upvane probe join/m)
  const noToken = await machine.tryRun(
    'echo no | runuser -u upvane -- upvane probe join --no-start',
  )
  assert.match(noToken.stderr, /not a token/)
  await machine.run('runuser -u upvane -- test -w /var/lib/upvane')
  // The service's NATS, from the shipped files; here it runs on the same machine.
  await machine.run(`/opt/upvane/deploy/make-secrets.sh /root/nats 127.0.0.1:5432 127.0.0.1:4222
    cp /opt/upvane/deploy/nats.conf /root/nats/
    systemd-run --quiet --unit=nats nats-server -c /root/nats/nats.conf
    sed -i -e "s|^#NATS_URL=.*|NATS_URL=$(cat /root/nats/nats_probe_url)|" -e 's|^#REGION=.*|REGION=eu|' /etc/upvane/upvane.env
    systemctl enable --now upvane@probe`)
  await isSound(machine)
  const sound = await machine.run(DOCTOR)
  assert.match(sound, /^ok +NATS +reachable, and permits what a probe needs$/m)
  assert.match(sound, /^ok +ping +this machine can ping$/m)
  assert.match(sound, /^skip +database +/m)
})
