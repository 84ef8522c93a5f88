// Follows docs/operating/install.md literally on a fresh Debian with a real systemd, up to signing in and beyond.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findObstacle } from './abilities.ts'
import { getDebianHost } from './base.ts'
import { readBlocks } from './document.ts'
import { Machine } from './machine.ts'
import { getRelease, ROOT, VERSION } from './release.ts'

const DOCUMENT = join(ROOT, 'docs/operating/install.md')
const MARK = 'test=install.test.ts'
const ORIGIN = 'https://upvane.example.com'
const SIGN_IN = join(import.meta.dirname, 'sign-in.ts')
const NO_NETWORKS = /cannot read the networks of this machine/
const obstacle = findObstacle('systemd')
const skip = obstacle ?? false

const blocks = readBlocks(DOCUMENT).filter(({ mark }) => mark === MARK)
const followed = new Set<number>()
let machine: Machine

/** Called in the first test, not in a hook: all files of the suite share one process and its hooks. */
async function bootMachine(): Promise<void> {
  const { archive, directory } = await getRelease()
  machine = await Machine.boot(await getDebianHost(DOCUMENT))
  cpSync(archive, join(machine.root, `root/upvane-${VERSION}-linux-x64.tar.gz`))
  cpSync(join(directory, 'SHA256SUMS'), join(machine.root, 'root/SHA256SUMS'))
}
after(() => machine?.stop())

/** Runs the commands below a heading unchanged. Returns their output. */
async function follow(heading: string): Promise<string> {
  const found = blocks.filter((block) => block.heading === heading)
  assert.ok(found.length > 0, `install.md has no commands for this test below "${heading}"`)
  let printed = ''
  for (const { text, line } of found) {
    followed.add(line)
    printed += await machine.run(text)
  }
  return printed
}

async function waitUntilReady(): Promise<void> {
  const url = 'http://127.0.0.1:8099/readyz'
  await machine.run(`curl -sf --retry 40 --retry-all-errors --retry-delay 1 ${url}`)
}

function signIn(link: string): Promise<string> {
  const base = 'http://127.0.0.1:8080'
  return machine.runInNetwork([process.execPath, SIGN_IN, base, link, ORIGIN])
}

test('the documented installation ends at a working sign-in', { skip }, async () => {
  await bootMachine()
  const printed = await follow('Install in ten minutes')
  const link = /create the first account: (\S+)/.exec(printed)?.[1] ?? ''
  assert.ok(link.startsWith(`${ORIGIN}/setup#`), printed)
  assert.match(printed, /"ready":true/)
  const checks = printed.match(/^(?:ok|warn|fail)  +\S.+$/gm) ?? []
  assert.ok(checks.length >= 17, printed)
  assert.deepEqual(
    checks.filter((line) => !line.startsWith('ok')),
    [],
  )
  assert.match(await signIn(link), /signed in/)
})

// Faults that need a database, NATS or a relay are tested in src/operator/doctor/doctor.db.test.ts; these need a real
// host.
const FAULTS: readonly {
  name: string
  plant: string
  repair: string
  says: RegExp
  code: number
}[] = [
  {
    name: 'a configuration that the service cannot read',
    plant: 'chmod 0600 /etc/upvane/upvane.env',
    repair: 'chmod 0640 /etc/upvane/upvane.env',
    says: /^fail +files +UPVANE_ENV_FILE: upvane cannot read \/etc\/upvane\/upvane\.env\. Create .+chmod 640/m,
    code: 2,
  },
  {
    name: 'a secret that belongs to root alone',
    plant: 'chown root:root /etc/upvane/secrets/master_keys',
    repair: 'chown root:upvane /etc/upvane/secrets/master_keys',
    says: /^fail +files +MASTER_KEYS_FILE: upvane cannot read \/etc\/upvane\/secrets\/master_keys\. /m,
    code: 2,
  },
  {
    name: 'a kernel that permits no ping',
    plant: 'echo 1 0 > /proc/sys/net/ipv4/ping_group_range',
    repair: 'echo 0 2147483647 > /proc/sys/net/ipv4/ping_group_range',
    says: /^warn +ping +This account cannot ping, .+ Install deploy\/sysctl\.d\/60-upvane-ping\.conf/m,
    code: 0,
  },
  {
    name: 'a full disk',
    plant: `mkdir -p /mnt/full; mount -t tmpfs -o size=1m none /mnt/full
        head -c 950K /dev/zero > /mnt/full/data; export DATABASE_DISK_PATH=/mnt/full`,
    repair: 'umount /mnt/full',
    says: /^fail +disk +The disk of \/mnt\/full is 9\d % full, more than DISK_WATERMARK_PERCENT\. Free/m,
    code: 1,
  },
  {
    name: 'a relay whose name no resolver knows',
    plant:
      'export SMTP_URL=smtps://upvane:secret-of-relay@mail.example.com SMTP_FROM=status@example.com',
    repair: 'true',
    says: /^fail +mail relay +The mail relay does not accept our connection \(.+\)\. Look at host/m,
    code: 1,
  },
  {
    name: 'a stopped service',
    plant: 'systemctl stop upvane',
    repair: 'systemctl start upvane',
    says: /^warn +troubles +No process of the service is running\. Start it/m,
    code: 0,
  },
  {
    name: 'a stopped database',
    plant: 'systemctl stop postgresql',
    repair: 'systemctl start postgresql',
    says: /^fail +database +The database cannot be reached\. Does it run/m,
    code: 1,
  },
]

for (const { name, plant, repair, says, code } of FAULTS)
  test(`doctor on this machine notices ${name}`, { skip }, async () => {
    const doctor = 'runuser -u upvane -- upvane doctor'
    const ran = await machine.tryRun(`${plant}\n${doctor}`)
    await machine.run(repair)
    assert.match(ran.stdout, says)
    assert.equal(ran.code, code, ran.stdout + ran.stderr)
  })

test('doctor finds nothing when every fault is repaired', { skip }, async () => {
  await waitUntilReady()
  // Processes keep reporting the stopped database for a few seconds.
  await machine.run(`for _ in $(seq 20); do
      runuser -u upvane -- upvane doctor > /tmp/doctor && exit 0; sleep 1
    done; cat /tmp/doctor; exit 1`)
})

test('secrets and configuration are readable for those who need them, and nobody else', {
  skip,
}, async () => {
  const modes = await machine.run(
    'cd /etc/upvane; stat -c "%a %U:%G %n" upvane.env secrets secrets/*',
  )
  assert.match(modes, /^640 root:upvane upvane\.env$/m)
  assert.match(modes, /^750 root:upvane secrets$/m)
  assert.match(modes, /^440 root:upvane secrets\/master_keys$/m)
  assert.match(modes, /^400 root:upvane secrets\/migrate_database_url$/m)
  assert.doesNotMatch(modes, /roles\.sql|postgres_password/)
})

test('the environment file means the same to systemd, to the command and to the service', {
  skip,
}, async () => {
  const cases = JSON.parse(
    readFileSync(join(import.meta.dirname, 'env-file-cases.json'), 'utf8'),
  ) as { line: string; value: string }[]
  const file = cases.map(({ line }, index) => line.replace('V', `V${index}`)).join('\n')
  mkdirSync(join(machine.root, 'root/env'), { recursive: true })
  await machine.run(`cat > /root/env/cases <<'END_OF_CASES'\n${file}\nEND_OF_CASES`)
  const print = '/opt/upvane/node_modules/.bin/node -p "JSON.stringify(process.env)"'
  const seen = JSON.parse(
    await machine.run(
      `systemd-run --quiet --wait --pipe --property=EnvironmentFile=/root/env/cases ${print}`,
    ),
  ) as Record<string, string>
  for (const [index, { line, value }] of cases.entries())
    assert.equal(seen[`V${index}`] ?? '', value, `systemd reads ${JSON.stringify(line)}`)
})

test('values with blanks, & and $ work for the command as for the service', { skip }, async () => {
  await machine.run(
    `sed -i 's|^ADMIN_ORGANIZATION=.*|ADMIN_ORGANIZATION=Smith \\& Sons $HOME|' /etc/upvane/upvane.env`,
  )
  const printed = await machine.run('upvane config print')
  assert.match(printed, /Smith & Sons \$HOME/)
  assert.match(await machine.run('upvane org list'), /Acme/)
})

test('PING monitors are decided under the unit', { skip }, async () => {
  await machine.run(`sed -i 's|^PROBE_ALLOW_CIDRS=.*|PROBE_ALLOW_CIDRS=127.0.0.0/8|' /etc/upvane/upvane.env
    systemctl restart upvane`)
  await waitUntilReady()
  const organizations = await machine.run('upvane org list --json')
  const org = /org_[0-9a-z]{26}/.exec(organizations)?.[0] ?? ''
  const made = await machine.run(`upvane key create --org ${org} --name Test --access FULL --json`)
  const key = /upv_\w+/.exec(made)?.[0] ?? ''
  const call = `curl -sf -H 'X-API-Key: ${key}' -H 'Content-Type: application/json' http://127.0.0.1:8080/api/v1/monitors`
  await machine.run(
    `${call} -d '{"name":"Ping","type":"PING","host":"127.0.0.1","intervalSeconds":30}'`,
  )
  const state = await machine.run(`for _ in $(seq 30); do
      s=$(${call}); case "$s" in *'"state":"UP"'*) echo UP; exit 0;; esac; sleep 0.5
    done; echo "$s"; journalctl -u upvane -n 5 -o cat`)
  assert.match(state, /^UP$/m)
})

test('the unit keeps its restrictions and stops cleanly', { skip }, async () => {
  const exposure = await machine.run('systemd-analyze security upvane --no-pager | tail -n 1')
  const level = Number(/: (\d+\.\d)/.exec(exposure)?.[1] ?? Number.NaN)
  assert.ok(level <= 2, exposure)
  assert.doesNotMatch(await machine.run('journalctl -u upvane --no-pager'), NO_NETWORKS)
  await machine.run('systemctl stop upvane')
  const shown = await machine.run('systemctl show upvane -p Result -p ExecMainStatus')
  assert.match(shown, /Result=success/)
  assert.match(shown, /ExecMainStatus=0/)
  await machine.run('systemctl start upvane')
  await waitUntilReady()
})

test('the unit of version 0.1, which permits less, starts the new version', { skip }, async () => {
  const dropIn = '/run/systemd/system/upvane.service.d'
  await machine.run(`mkdir -p ${dropIn} && printf '%s\\n' '[Service]' 'RestrictAddressFamilies=' \
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX' >${dropIn}/old.conf
    systemctl daemon-reload && systemctl restart upvane`)
  await waitUntilReady()
  assert.match(await machine.run('journalctl -u upvane --no-pager'), NO_NETWORKS)
  await machine.run(`rm -r ${dropIn} && systemctl daemon-reload && systemctl restart upvane`)
  await waitUntilReady()
})

test('TLS by nginx and by Caddy is set up as documented', { skip }, async () => {
  await machine.run(`mkdir -p /etc/ssl/upvane; openssl req -x509 -newkey rsa:2048 -nodes -days 2 \
    -subj /CN=upvane.example.com -keyout /etc/ssl/upvane/privkey.pem -out /etc/ssl/upvane/fullchain.pem 2>/dev/null`)
  // Both proxies are in this machine and want port 80; a reader installs only one.
  await machine.run('systemctl stop caddy nginx')
  await follow('Add TLS')
  await waitUntilReady()
  const page = await machine.run(
    `curl -sk --resolve upvane.example.com:443:127.0.0.1 ${ORIGIN}/ -o /dev/null -w '%{http_code}'`,
  )
  assert.equal(page, '200')
})

test('mail is added and secrets are rotated as documented', { skip }, async () => {
  await follow('Add mail')
  await waitUntilReady()
  const rotated = await follow('Rotate secrets')
  assert.match(rotated, /"rotated": 1/)
  await waitUntilReady()
  assert.match(await signIn('-'), /signed in/)
})

test('an upgrade switches to the new version, and nothing of the old dashboard stays', {
  skip,
}, async () => {
  await machine.run(`mkdir /tmp/next && tar -xzf upvane-0.2.0-linux-x64.tar.gz -C /tmp/next
    mv /tmp/next/upvane-0.2.0 /tmp/next/upvane-0.2.1 && cd /tmp/next/upvane-0.2.1
    sed -i 's/"version": "0.2.0"/"version": "0.2.1"/' package.json
    touch /opt/upvane-0.2.0/web/dist/only-in-the-old.js
    tar -czf /root/upvane-0.2.1-linux-x64.tar.gz -C /tmp/next upvane-0.2.1`)
  const upgraded = blocks.filter(({ heading }) => heading === 'Upgrade')
  assert.equal(upgraded.length, 2)
  for (const { line } of upgraded) followed.add(line)
  assert.match(await machine.run(upgraded[0]?.text ?? ''), /upvane 0\.2\.1/)
  await machine.run('test ! -e /opt/upvane/web/dist/only-in-the-old.js')
  assert.match(await signIn('-'), /signed in/)
  await machine.run(upgraded[1]?.text ?? '')
  await waitUntilReady()
  assert.match(await machine.run('upvane --version'), /upvane 0\.2\.0/)
})

test('every command of the document that names this test was run', { skip }, () => {
  assert.ok(blocks.length >= 8)
  assert.deepEqual(
    blocks.map(({ line }) => line).filter((line) => !followed.has(line)),
    [],
  )
})
