// Follows docs/operating/install.md literally on a fresh Debian with a real systemd, up to signing in and beyond, then
// backup.md and regions.md.
import assert from 'node:assert/strict'
import { cpSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { findObstacle } from './abilities.ts'
import { getDebianHost } from './base.ts'
import { Guide } from './guide.ts'
import { Machine } from './machine.ts'
import { getRelease, ROOT, VERSION } from './release.ts'

const DOCUMENTS = ['install.md', 'backup.md', 'regions.md', 'people.md'].map((name) =>
  join(ROOT, 'docs/operating', name),
)
const ORIGIN = 'https://upvane.example.com'
const SIGN_IN = join(import.meta.dirname, 'sign-in.ts')
const DROP_IN = '/run/systemd/system/upvane.service.d'
const NO_NETWORKS = /cannot read the networks of this machine/
const obstacle = findObstacle('systemd')
const skip = obstacle ?? false

const guides = DOCUMENTS.map((document) => new Guide(document, 'test=install.test.ts'))
// Safe because there are four documents.
const [install, backup, regions, people] = guides as [Guide, Guide, Guide, Guide]
let machine: Machine

/** Called in the first test, not in a hook: all files of the suite share one process and its hooks. */
async function bootMachine(): Promise<void> {
  const { archive, directory } = await getRelease()
  machine = await Machine.boot(await getDebianHost(...DOCUMENTS))
  cpSync(archive, join(machine.root, `root/upvane-${VERSION}-linux-x64.tar.gz`))
  cpSync(join(directory, 'SHA256SUMS'), join(machine.root, 'root/SHA256SUMS'))
}
after(() => machine?.stop())

/** Runs the commands below a heading unchanged. Returns their output. */
async function follow(heading: string, guide = install): Promise<string> {
  let printed = ''
  for (const commands of guide.take(heading)) printed += await runWithLog(commands)
  return printed
}

/** If they fail, the log of the service says why. */
async function runWithLog(commands: string): Promise<string> {
  const { code, stdout, stderr } = await machine.tryRun(commands)
  if (code === 0) return stdout
  const log = await machine.run("journalctl -u 'upvane*' -n 60 -o cat --no-pager")
  assert.fail(`${commands}\nended with ${code}: ${stdout}${stderr}\n${log}`)
}

async function waitUntilReady(): Promise<void> {
  const url = 'http://127.0.0.1:8099/readyz'
  await machine.run(`curl -sf --retry 40 --retry-all-errors --retry-delay 1 ${url}`)
}

/** The unit may not write what it compiles: without this, each of its many starts would compile the whole service again. */
async function compileService(): Promise<void> {
  const program =
    'for (const name of process.argv.slice(1)) await import(`/opt/upvane/src/wiring/${name}.ts`)'
  const roles = 'serve api/api probe-joins dispatcher janitor probe scheduler'
  await machine.run(
    `runuser -u upvane -- /opt/upvane/node_modules/.bin/node --input-type=module -e '${program}' ${roles}`,
  )
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
  // Nothing listens there before TLS is added.
  const [address = '', ...others] = checks.filter((line) => !line.startsWith('ok'))
  assert.match(address, /^warn +BASE_URL +BASE_URL cannot be reached from this machine/)
  assert.deepEqual(others, [])
  assert.match(await signIn(link), /signed in/)
  await compileService()
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
    says: /^warn +ping +This account cannot ping, .+ Install deploy\/sysctl\.d\/60-upvane-ping\.conf .+; the package iputils-ping does not work under the unit\.$/m,
    code: 0,
  },
  {
    name: 'a full disk',
    plant: `mkdir -p /mnt/full; mount -t tmpfs -o size=1m none /mnt/full
        head -c 950K /dev/zero > /mnt/full/data; export DATABASE_DISK_PATH=/mnt/full`,
    repair: 'umount /mnt/full',
    says: /^fail +disk +The disk of \/mnt\/full is 9\d% full, more than DISK_WATERMARK_PERCENT\. Free/m,
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
    says: /^fail +conditions +No process of the service is running\. Start it: systemctl start upvane/m,
    code: 1,
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

test('config check finds for root what the service cannot read', { skip }, async () => {
  const file = '/etc/upvane/secrets/master_keys'
  const { code, stderr } = await machine.tryRun(`chgrp root ${file}
    upvane config check || { code=$?; chgrp upvane ${file}; exit $code; }`)
  assert.match(stderr, /MASTER_KEYS_FILE: the account upvane cannot read \/etc\/upvane\/secrets/)
  assert.equal(code, 2)
  assert.match(await machine.run('upvane config check'), /sound/)
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
})

test('systemctl start returns when the service is ready, and fails if it ends', {
  skip,
}, async () => {
  const ready = 'curl -sf http://127.0.0.1:8099/readyz'
  assert.match(await machine.run(`systemctl start upvane; ${ready}`), /"ready":true/)
  const started = Date.now()
  const { code } = await machine.tryRun(`mkdir -p ${DROP_IN} && systemctl stop upvane
    printf '[Service]\\nEnvironment=PORT=none\\n' >${DROP_IN}/wrong.conf && systemctl daemon-reload
    code=0; systemctl start upvane || code=$?
    rm -r ${DROP_IN}; systemctl daemon-reload; exit $code`)
  assert.equal(code, 1)
  assert.ok(Date.now() - started < 40_000, 'it waits for a service that has ended')
  await machine.run(`systemctl start upvane; ${ready}`)
})

test('the unit of version 0.1, which permits less, starts the new version', { skip }, async () => {
  await machine.run(`mkdir -p ${DROP_IN} && printf '%s\\n' '[Service]' 'RestrictAddressFamilies=' \
    'RestrictAddressFamilies=AF_INET AF_INET6 AF_UNIX' ExecStartPost= >${DROP_IN}/old.conf
    systemctl daemon-reload && systemctl restart upvane`)
  await waitUntilReady()
  assert.match(await machine.run('journalctl -u upvane --no-pager'), NO_NETWORKS)
})

test('the unit starts a version without the command that waits', { skip }, async () => {
  await machine.run(`printf '%s\\n' '[Service]' ExecStartPost= \
    'ExecStartPost=-/opt/upvane/node_modules/.bin/node /opt/upvane/src/main.ts unknown' >${DROP_IN}/old.conf
    systemctl daemon-reload && systemctl restart upvane`)
  await waitUntilReady()
  await machine.run(`rm -r ${DROP_IN} && systemctl daemon-reload && systemctl restart upvane`)
})

test('TLS by nginx and by Caddy is set up as documented', { skip }, async () => {
  await machine.run(`mkdir -p /etc/ssl/upvane; openssl req -x509 -newkey rsa:2048 -nodes -days 2 \
    -subj /CN=upvane.example.com -keyout /etc/ssl/upvane/privkey.pem -out /etc/ssl/upvane/fullchain.pem 2>/dev/null`)
  // Both proxies are in this machine and want port 80; a reader installs only one.
  await machine.run('systemctl stop caddy nginx')
  await follow('Add TLS')
  const page = await machine.run(
    `curl -sk --resolve upvane.example.com:443:127.0.0.1 ${ORIGIN}/ -o /dev/null -w '%{http_code}'`,
  )
  assert.equal(page, '200')
})

test('mail is added and secrets are rotated as documented', { skip }, async () => {
  await follow('Add mail')
  const rotated = await follow('Rotate secrets')
  assert.match(rotated, /"rotated": 1/)
  assert.match(await signIn('-'), /signed in/)
})

test('people are helped as documented', { skip }, async () => {
  const [commands = ''] = people.take('Roles and sign-in')
  const [org = ''] = /org_[0-9a-z]{26}/.exec(await machine.run('upvane org list --json')) ?? []
  const printed = await machine.run(commands.replace('org_…', org))
  assert.match(printed, /https:\/\/upvane\.example\.com\/reset-password#/)
  assert.match(printed, /https:\/\/upvane\.example\.com\/invitation#/)
  await assert.rejects(signIn('-'))
  await machine.run('upvane person enable --email ana@example.com')
  assert.match(await signIn('-'), /signed in/)
})

test('the backup of the night and a line of cron write one and keep the newest', {
  skip,
}, async () => {
  await machine.run(`mkdir -p /var/backups/upvane
    for day in 1 2 3 4 5 6 7 8; do touch /var/backups/upvane/upvane-2020-01-0\${day}T031500.dump{,.json}; done`)
  const [byTimer = '', byCron = ''] = backup.take('Back up')
  const kept = (await machine.run(byTimer)).trim().split('\n')
  assert.equal(kept.length, 14, kept.join())
  assert.match(kept[0] ?? '', /^upvane-2020-01-03T/)
  assert.match(kept.at(-1) ?? '', /^upvane-202[6-9]-.+\.dump\.json$/)
  await machine.run(`systemctl is-active upvane-backup.timer; test -s /var/backups/upvane/${kept.at(-2)}
    mv /var/backups/upvane /root/before`)
  // As cron runs the line: the fields of its time first, and nearly no environment.
  const command = byCron.trim().split(' ').slice(5).join(' ')
  await machine.run(
    `env -i PATH=/usr/bin:/bin sh -c '${command}'; test -s /var/backups/upvane/*.dump.json`,
  )
})

/** Every role in a process of its own does its work; then one process has all of them again. */
async function runApart(commands: string): Promise<void> {
  const roles = 'upvane@api upvane@scheduler upvane@dispatcher upvane@janitor'
  await runWithLog(`${commands}
    for port in 8099 8101 8102 8103 8104; do
      curl -sf -o /dev/null --retry 40 --retry-all-errors --retry-delay 1 http://127.0.0.1:$port/readyz
    done
    curl -sf -o /dev/null http://127.0.0.1:8080/
    systemctl disable --now ${roles}; systemctl enable --now upvane`)
}

test('NATS and a probe in another region are added as documented', { skip }, async () => {
  // The machine of the probe is this one, so it needs a port of its own.
  await machine.run(`echo 127.0.0.1 nats.example.com >>/etc/hosts
    install -d /etc/upvane/nats /run/systemd/system/upvane@probe.service.d; cd /etc/upvane/nats
    openssl req -x509 -newkey rsa:2048 -nodes -days 2 -subj /CN=nats.example.com \
      -addext subjectAltName=DNS:nats.example.com -keyout key.pem -out cert.pem 2>/dev/null
    cp cert.pem ca.pem; echo NATS_CA_FILE=/etc/upvane/nats/ca.pem >>/etc/upvane/upvane.env
    printf '[Service]\\nEnvironment=INTERNAL_PORT=8102\\n' >/run/systemd/system/upvane@probe.service.d/port.conf`)
  await follow('Prepare NATS once', regions)
  await machine.run('systemctl daemon-reload; upvane region add us-east > token')
  const [apart = '', join = ''] = install.take('Several processes')
  await runWithLog(join)
  const listed = await machine.run(`for _ in $(seq 40); do
      upvane region list >/tmp/regions; ! grep -q '^us-east  1 of 1' /tmp/regions || break; sleep 0.5
    done; cat /tmp/regions; stat -c '%U:%G %a %n' /etc/upvane/nats/upvane.creds
    runuser -u upvane -- upvane doctor || true`)
  assert.match(listed, /^eu-west {2}1 of 1 live$/m)
  assert.match(listed, /^us-east {2}1 of 1 live$/m)
  assert.match(listed, /^root:upvane 640 /m)
  assert.match(listed, /^ok +NATS /m)
  await runApart(apart)
  await machine.run('systemctl disable --now upvane@probe; upvane region remove us-east --force')
  // Probes that were forgotten are not counted anymore.
  const left = await machine.run('upvane region list')
  assert.match(left, /^default {2}0 of 0 live$/m)
  assert.match(left, /^us-east {2}0 of 0 live$/m)
})

test('an upgrade switches to the new version, and nothing of the old dashboard stays', {
  skip,
}, async () => {
  await machine.run(`mkdir /tmp/next && tar -xzf upvane-0.2.0-linux-x64.tar.gz -C /tmp/next
    mv /tmp/next/upvane-0.2.0 /tmp/next/upvane-0.2.1 && cd /tmp/next/upvane-0.2.1
    sed -i 's/"version": "0.2.0"/"version": "0.2.1"/' package.json
    touch /opt/upvane-0.2.0/web/dist/only-in-the-old.js
    tar -czf /root/upvane-0.2.1-linux-x64.tar.gz -C /tmp/next upvane-0.2.1`)
  const [upgrade = '', goBack = ''] = install.take('Upgrade')
  const printed = await machine.run(upgrade)
  assert.match(printed, /upvane 0\.2\.1/)
  assert.doesNotMatch(printed, /create the first account/)
  await machine.run('test ! -e /opt/upvane/web/dist/only-in-the-old.js')
  assert.match(await signIn('-'), /signed in/)
  await machine.run(goBack)
  assert.match(await machine.run('upvane --version'), /upvane 0\.2\.0/)
  assert.match(await signIn('-'), /signed in/)
})

test('a version in the directory /opt/upvane, as 0.1 was, is moved aside and gets its own unit back', {
  skip,
}, async () => {
  await machine.run(`rm /opt/upvane; mv /opt/upvane-0.2.0 /opt/upvane; cd /opt/upvane/deploy
    sed -i -e 's|^Environment=UPVANE_ENV_FILE=|EnvironmentFile=|' -e '/^ExecStartPost=/d' upvane.service
    cp upvane.service /etc/systemd/system/; systemctl daemon-reload; systemctl restart upvane
    echo 'create role upvane;' >/etc/upvane/secrets/roles.sql`)
  const printed = await machine.run('/opt/upvane-0.2.1/deploy/install.sh')
  assert.match(printed, /the accounts of the database exist already/)
  assert.match(
    await machine.run('readlink /opt/upvane; upvane --version'),
    /0\.2\.1\nupvane 0\.2\.1/,
  )
  const goBack =
    /the older version is now \/opt\/upvane-old\. To go back: (.+)/.exec(printed)?.[1] ?? ''
  await machine.run(goBack)
  await waitUntilReady()
  assert.match(
    await machine.run('systemctl cat upvane'),
    /^EnvironmentFile=\/etc\/upvane\/upvane\.env$/m,
  )
  assert.match(await machine.run('upvane --version'), /upvane 0\.2\.0/)
  assert.match(await signIn('-'), /signed in/)
})

test('every command of the documents that names this test was run', { skip }, () => {
  assert.deepEqual(
    guides.flatMap(({ left }) => left),
    [],
  )
})
