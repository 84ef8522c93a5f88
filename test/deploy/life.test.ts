// The life of one machine, by the documented commands: version 0.1.0, an upgrade while requests run, back, forward again,
// the backup of the night restored into another machine, new keys, and a move to a third. `npm run long deploy`.
import assert from 'node:assert/strict'
import { copyFileSync, cpSync, readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, type TestContext, test } from 'node:test'
import { getDebianHost } from './base.ts'
import { readBlocks } from './document.ts'
import { canInstallFirst, installFirst } from './first-version.ts'
import { skipUnlessLong } from './large.ts'
import { LivingService } from './living-service.ts'
import { Machine } from './machine.ts'
import { getRelease, ROOT, VERSION } from './release.ts'

const document = (name: string): string => join(ROOT, 'docs/operating', name)
const INSTALL_MD = document('install.md')
const BACKUP_MD = document('backup.md')
const HOST_DOCUMENTS = [INSTALL_MD, BACKUP_MD, document('regions.md')]
const NEW = `/opt/upvane-${VERSION}`
const KEEPS = ['upvane.dump', 'upvane.dump.json', 'upvane-etc.tar.gz']
// How long requests may go without an answer while one process replaces another.
const MAX_GAP_MS = 30_000
const skip = canInstallFirst ? skipUnlessLong('systemd') : 'this checkout has no history'

const machines: Machine[] = []
after(() => Promise.all(machines.map((machine) => machine.stop())))
let service: LivingService

/** The commands below a heading, of the version that the test installs. */
function commands(file: string, heading: string, mark?: string): string[] {
  const found = readBlocks(file).filter(
    (block) => block.heading === heading && (mark === undefined || block.mark === mark),
  )
  assert.ok(found.length > 0, `${file}: ${heading}`)
  return found.map(({ text }) => text.replaceAll('0.2.1', VERSION))
}

async function boot(): Promise<Machine> {
  const { archive, directory } = await getRelease()
  const machine = await Machine.boot(await getDebianHost(...HOST_DOCUMENTS))
  machines.push(machine)
  cpSync(archive, join(machine.root, `root/upvane-${VERSION}-linux-x64.tar.gz`))
  cpSync(join(directory, 'SHA256SUMS'), join(machine.root, 'root/SHA256SUMS'))
  // What is monitored: nginx, which answers through all of it. Debian starts Caddy on the same port.
  await machine.run('systemctl disable --now caddy; systemctl restart nginx')
  return machine
}

/** Runs a change while a client sends requests and a job pings. Returns how long requests had no answer. */
async function during(
  t: TestContext,
  name: string,
  change: () => Promise<unknown>,
): Promise<number> {
  const started = Date.now()
  await service.startTraffic()
  await change()
  await service.assertChecked()
  const { gapMs, requests, unanswered } = await service.stopTraffic()
  t.diagnostic(
    `${name}: ${Math.round((Date.now() - started) / 1000)} s, ${requests} requests, ${unanswered} without an answer, at most ${Math.round(gapMs)} ms in a row`,
  )
  await service.assertNoIncident()
  return gapMs
}

test('0.1.0 is installed by its own document, with monitors that are UP', { skip }, async () => {
  const machine = await boot()
  await machine.run(`tar -xzf upvane-${VERSION}-linux-x64.tar.gz -C /opt`)
  await installFirst(machine, NEW)
  service = new LivingService(machine)
  await service.createMonitors()
  await service.assertChecked()
})

test('it is upgraded while requests run, and nothing is down', { skip }, async (t) => {
  const [machine] = machines as [Machine]
  const [upgrade = ''] = commands(INSTALL_MD, 'Upgrade')
  const gapMs = await during(t, 'upgrade', async () => {
    const printed = await machine.run(upgrade)
    assert.match(printed, new RegExp(`upvane ${VERSION.replaceAll('.', '\\.')}`))
    assert.match(printed, /the older version is now \/opt\/upvane-old/)
  })
  assert.ok(gapMs < MAX_GAP_MS, `${gapMs} ms without an answer`)
})

test('back to 0.1.0, which serves on the new schema, and forward again', { skip }, async (t) => {
  const [machine] = machines as [Machine]
  const back = await during(t, 'back', () =>
    machine.run(`${NEW}/deploy/install.sh --switch-to /opt/upvane-old`),
  )
  assert.match(await machine.run('readlink -f /opt/upvane'), /upvane-old/)
  const forward = await during(t, 'forward', () => machine.run(`${NEW}/deploy/install.sh`))
  assert.ok(Math.max(back, forward) < MAX_GAP_MS, `${back}, ${forward} ms without an answer`)
  assert.match(await machine.run('upvane --version'), new RegExp(VERSION.replaceAll('.', '\\.')))
})

test('the backup of the night is restored into another machine', { skip }, async () => {
  const [old] = machines as [Machine]
  await old.run('systemctl start upvane-backup.service')
  const backups = join(old.root, 'var/backups/upvane')
  const [dump = ''] = readdirSync(backups).filter((name) => name.endsWith('.dump'))
  const keys = readFileSync(join(old.root, 'etc/upvane/secrets/master_keys'))
  await old.run('systemctl stop upvane')
  const machine = await boot()
  for (const text of commands(INSTALL_MD, 'Install in ten minutes').slice(0, 1))
    await machine.run(text)
  await machine.run('mkdir -p /var/backups')
  for (const ending of ['', '.json'])
    copyFileSync(
      join(backups, `${dump}${ending}`),
      join(machine.root, `var/backups/upvane.dump${ending}`),
    )
  // "put the saved master_keys in place of the new ones"
  await machine.run(`install -m 0440 -g upvane /dev/stdin /etc/upvane/secrets/master_keys <<'END'
${keys.toString().trim()}
END
    sed -i 's|^#*PROBE_ALLOW_CIDRS=.*|PROBE_ALLOW_CIDRS=127.0.0.0/8|' /etc/upvane/upvane.env`)
  for (const text of commands(BACKUP_MD, 'Restore')) await machine.run(text)
  await machine.run('systemctl start upvane')
  service = service.movedTo(machine)
  await service.startTraffic()
  await service.assertChecked()
  await service.stopTraffic()
  await service.assertNoIncident()
})

test('keys and passwords are replaced, and everything is still read', { skip }, async (t) => {
  const machine = machines[1] as Machine
  await during(t, 'key rotation', async () => {
    for (const text of commands(INSTALL_MD, 'Rotate secrets')) await machine.run(text)
  })
})

test('it moves to a third machine', { skip }, async () => {
  const from = machines[1] as Machine
  const [leave = '', arrive = ''] = commands(INSTALL_MD, 'Move to another machine')
  await from.run(leave)
  const machine = await boot()
  await machine.run(`tar -xzf upvane-${VERSION}-linux-x64.tar.gz -C /opt`)
  for (const name of KEEPS)
    copyFileSync(join(from.root, 'root', name), join(machine.root, 'root', name))
  await machine.run(arrive)
  service = service.movedTo(machine)
  await service.startTraffic()
  await service.assertChecked()
  await service.stopTraffic()
  await service.assertNoIncident()
  // Problems reported during the first seconds clear a little later.
  const doctor = await machine.run(`for _ in $(seq 30); do
      runuser -u upvane -- upvane doctor >/tmp/doctor && break; sleep 1
    done; cat /tmp/doctor`)
  assert.doesNotMatch(doctor, /^fail/m)
})
