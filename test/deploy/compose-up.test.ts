// Brings deploy/compose.yaml up and down with Compose 2 on podman, without a registry and without Docker. Part of `npm
// run long deploy`. Replacements for what this machine lacks:
// - PostgreSQL's image: Debian's packages, with our own entrypoint that does what compose.yaml relies on.
// - NATS's image: this machine's program.
// - systemd, which runs podman's health checks: a loop.
// - the image is built from the archive beforehand, since a build inside has no network: `up --no-build`.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { getNatsServer } from '../../tools/services/executables.ts'
import { createAuthority } from '../kit/targets/certificates.ts'
import { getDebianHost } from './base.ts'
import { runWithCompose } from './compose.ts'
import { Guide } from './guide.ts'
import { skipUnlessLong } from './large.ts'
import { getRelease, getStorage, ROOT } from './release.ts'
import { run } from './shell.ts'

const SCRIPT = join(import.meta.dirname, 'compose-up.sh')
const FILES = [
  'compose.yaml',
  'compose.nats.yaml',
  'nats.conf',
  'nats-regions.conf',
  'make-secrets.sh',
  'example.env',
]
const POSTGRES = 'docker.io/library/postgres:15'
const NATS = 'docker.io/library/nats:2.10-alpine'
const NATS_HOST = 'nats.example.com'
// The database needs none of these, and copying them takes long.
const LEFT_OUT = ['usr/share/doc', 'usr/share/locale', 'usr/bin/caddy', 'var/cache', 'var/lib/apt']
const DOCUMENTS = ['install.md', 'backup.md', 'regions.md'].map((name) =>
  join(ROOT, 'docs/operating', name),
)
const skip = skipUnlessLong('containers')
const home = mkdtempSync('/var/tmp/upvane-compose-up-')
after(() => rmSync(home, { recursive: true, force: true }))

test('compose up: the migration runs, the sign-in page answers, it is healthy, a probe joins through NATS, and down ends it', {
  skip,
}, async () => {
  await getRelease()
  const { env } = await getStorage()
  await importPostgres(env)
  await importNats(env)
  mkdirSync(join(home, 'deploy'))
  for (const file of FILES) cpSync(join(ROOT, 'deploy', file), join(home, 'deploy', file))
  const secrets = ['deploy/secrets', 'postgres:5432', 'nats:4222']
  await run(['deploy/make-secrets.sh', ...secrets], { cwd: home })
  const configured = ['-m', '0640', '-g', '10001', 'deploy/example.env', 'deploy/upvane.env']
  await run(['install', ...configured], { cwd: home })
  writeCertificates()
  const commands = DOCUMENTS.flatMap((document) =>
    new Guide(document, 'test=compose-up.test.ts').take('Containers'),
  )
  for (const [index, text] of commands.entries())
    writeFileSync(join(home, `documented-${index}.sh`), text)
  const printed = await runWithCompose([SCRIPT], home, {
    POSTGRES_IMAGE: POSTGRES,
    NATS_IMAGE: NATS,
  })
  assert.match(printed, /^page: 200$/m)
  assert.match(printed, /<script/)
  assert.match(printed, /^health: healthy$/m)
  assert.match(printed, /"link":"http:\/\/localhost:8080\/setup#/)
  const failed = printed.match(/^code [1-9].*$/gm) ?? []
  // Of this machine, such as its disk.
  const unexpected = failed.filter((line) => !line.endsWith('upvane doctor'))
  assert.deepEqual(unexpected, [], printed)
  assert.match(printed, /^ok +database +PostgreSQL 15/m)
  assert.doesNotMatch(printed, /ExperimentalWarning/)
  assert.match(printed, /^copied: upvane-.+\.dump\.json$/m)
  assert.match(printed, /^page after the restore: 200$/m)
  assert.match(printed, /^ok +NATS +reachable/m)
  assert.match(printed, /^probes: .+"us-east-1"[^}]+"isLive":true/m)
  assert.match(printed, /^after down: 0 containers$/m)
})

/** "`cert.pem` and `key.pem` of `nats.example.com`", of an authority of its own. */
function writeCertificates(): void {
  const authority = createAuthority()
  const { key, cert } = authority.issue(NATS_HOST, { san: `DNS:${NATS_HOST}` })
  writeFileSync(join(home, 'key.pem'), key)
  writeFileSync(join(home, 'cert.pem'), cert)
  mkdirSync(join(home, 'deploy/nats'))
  writeFileSync(join(home, 'deploy/nats/ca.pem'), authority.root)
  authority.remove()
}

/** Our own image: compose.yaml only needs an entrypoint of the same form. */
async function importPostgres(env: NodeJS.ProcessEnv): Promise<void> {
  const debian = await getDebianHost(...DOCUMENTS.slice(0, 1))
  const extra = join(home, 'image')
  mkdirSync(join(extra, 'usr/local/bin'), { recursive: true })
  const entrypoint = 'usr/local/bin/entrypoint'
  cpSync(join(import.meta.dirname, 'postgres-entrypoint.sh'), join(extra, entrypoint))
  const exclude = LEFT_OUT.map((path) => `--exclude=./${path}`).join(' ')
  const tar = `tar ${exclude} -C ${debian} -c . -C ${extra} ./${entrypoint}`
  const path = '/usr/lib/postgresql/15/bin:/usr/sbin:/usr/bin:/sbin:/bin'
  const change = `--change 'ENTRYPOINT ["/${entrypoint}"]' --change 'ENV PATH=${path}'`
  const podman = `podman --cgroup-manager cgroupfs import --quiet ${change} - ${POSTGRES}`
  await run(['bash', '-eo', 'pipefail', '-c', `${tar} | ${podman}`], { env })
}

async function importNats(env: NodeJS.ProcessEnv): Promise<void> {
  const program = getNatsServer()
  const change = `--change 'ENTRYPOINT ["${program}"]'`
  const tar = `tar --dereference -P -c ${program} $(ldd ${program} | grep -o '/[^ ]*')`
  const podman = `podman --cgroup-manager cgroupfs import --quiet ${change} - ${NATS}`
  await run(['bash', '-eo', 'pipefail', '-c', `${tar} | ${podman}`], { env })
}
