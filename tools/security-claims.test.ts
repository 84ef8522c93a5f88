// SECURITY.md states only what is tested: each of its claims names the tests that fail if it is untrue, and the figures
// are those of the sources. test/hostile/guards and test/private/guards remove the guards one by one.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')
const DOCUMENT = read('SECURITY.md')

/** A text of a file: a part of a test's name, or the line of a figure. */
type Place = readonly [file: string, text: string]
type Claim = { tests: readonly Place[]; figures?: readonly Place[] }

const LIMITS = 'src/platform/config/limit-config.ts'
const STREAMS = 'src/platform/config/stream-config.ts'
const hostile = (name: string, title: string): Place => [`test/hostile/${name}.test.ts`, title]
const app = (name: string, title: string): Place => [`test/private/${name}.test.ts`, title]
const contract = (name: string, title: string): Place => [`test/contract/${name}.test.ts`, title]

/** By their words in "What protects you". */
const PROTECTIONS: Readonly<Record<string, Claim>> = {
  'row-level security under every tenant query': {
    tests: [
      ['src/store/core/row-level-security.db.test.ts', 'every table has row level security'],
      ['src/store/core/row-level-security.db.test.ts', 'reads with `org_id = $1` taken out'],
      ['src/store/core/row-level-security.db.test.ts', 'writes with `org_id = $1` taken out'],
    ],
  },
  'secrets encrypted under a key per organization': {
    tests: [
      ['src/store/monitors/monitors.db.test.ts', 'secrets lie nowhere in the database'],
      ['src/store/core/organization-secrets.db.test.ts', 'does not open for another'],
      contract('status-pages', 'a password stands nowhere'),
      contract('ext-sources', 'not in the database as text'),
    ],
  },
  'API keys stored only as a hash': {
    tests: [['src/store/monitors/monitors.db.test.ts', 'secrets lie nowhere in the database']],
  },
  'no install script of a dependency runs': {
    tests: [['tools/install-scripts.slow.test.ts', 'no script of a dependency runs']],
  },
  'versions pinned with their hashes': {
    tests: [['tools/platforms.test.ts', 'one version and the hash of its contents']],
  },
}

/** By the first cell of the table of limits. */
const LIMITED: Readonly<Record<string, Claim>> = {
  'sends many requests at once with one key': {
    tests: [
      contract('starvation', 'a burst of 120 parallel requests of one key is queued'),
      contract('starvation', 'of another organization that wait for a lock hold up nobody'),
      ['src/platform/limits/keyed-concurrency-limit.test.ts', 'keys get free ones in turn'],
      hostile('contention', 'Writes: 200 at once'),
    ],
    figures: [[LIMITS, 'CONNECTIONS_PER_ORGANIZATION = { fallback: 4,']],
  },
  'sends more than their rate': {
    tests: [
      contract('rate-limit', 'of 200 at once over two processes exactly 120 pass'),
      contract('rate-limit', 'keys of one organization have a window each'),
      app('api-limits', 'a session that asks too often'),
      app('api-limits', 'the organization has its share'),
      app('api-limits', 'visitors without a session are counted by their network'),
    ],
  },
  'sends hundreds of requests at the same moment': {
    tests: [
      ['src/platform/limits/start-queue.test.ts', 'of hundreds, few start in one turn'],
      [
        'src/platform/limits/start-queue.test.ts',
        'a long queue of one key delays another by a turn',
      ],
    ],
    figures: [['src/platform/limits/start-queue.ts', 'STARTS_PER_TURN = 8']],
  },
  'sends large or partial bodies, or headers byte by byte': {
    tests: [
      app('bodies', 'what needs no membership takes at most 16 KiB'),
      app('bodies', 'a body that does not come in time ends its connection'),
      app('bodies', 'half-sent uploads of one organization take its own share of memory'),
      app('bodies', 'from one network'),
      app('bodies', 'in all, also by a trusted proxy'),
      contract('largest-bodies', 'the largest'),
      contract('bodies', 'hundreds of thousands of levels below'),
      contract('bodies', 'hundreds of thousands are not read'),
      ['src/api/http/input/body-bounds.test.ts', 'exceeds: '],
      hostile('bodies', 'Bodies: 500 half-sent ones'),
    ],
    figures: [
      ['src/api/http/input/request-body.ts', 'SMALL_SECONDS = 15'],
      ['src/api/http/input/request-body.ts', 'perKey: 4,'],
      [LIMITS, 'CONNECTIONS = { fallback: 10_000,'],
      [LIMITS, 'CONNECTIONS_PER_NETWORK = { fallback: 1_000,'],
    ],
  },
  'writes whatever can be stored, at the full rate of several keys': {
    tests: [
      app('storage-table', 'not one more than the table says, and not larger'),
      app('storage-by-day', 'is the last of the day'),
      contract('response-quota', '429 before it runs'),
      hostile('everything', 'one organization on FREE holds up nobody and fills no disk'),
    ],
  },
  'makes monitors flap through all their ping addresses, and by checks on demand': {
    tests: [
      ['src/api/public/token-throttle.test.ts', '30 calls and beyond them 10 changes a minute'],
      ['src/api/public/token-throttle.test.ts', 'the tokens of a monitor count together'],
      app('storage-transitions', 'but not beyond half of the day'),
      app('storage-transitions', 'changes it twice in five minutes'),
      app('storage-transitions', 'POST /check of a monitor that is DOWN'),
      ['test/fault/held-recovery.test.ts', 'a success that waits when the process is killed'],
    ],
    figures: [['src/domain/incidents/recovery-hold.ts', 'RECOVERY_HOLD_SECONDS = 300']],
  },
  'writes Markdown that is expensive to parse': {
    tests: [
      ['src/pages/views/markdown.test.ts', 'beyond the bound it is plain paragraphs'],
      ['src/channels/email/templates.test.ts', 'beyond the bound it is plain paragraphs'],
      ['src/channels/email/templates.test.ts', 'any number of subscribers costs one rendering'],
      hostile('markdown', 'hostile incidents on a page and in mails'),
    ],
  },
  'creates calendars of hundreds of windows': {
    tests: [
      ['src/domain/maintenance/calendar.test.ts', 'is looked at when it is taken'],
      ['src/platform/limits/busy-work.test.ts', 'with turns for others in between'],
      hostile('calendar', 'Calendar: 400 daily windows'),
    ],
    figures: [['src/platform/limits/busy-work.ts', 'PIECE_MS = 3']],
  },
  'opens event streams': {
    tests: [
      app('streams', 'so many for a person over all their sessions, and for an organization'),
      hostile('streams', 'leave room for those of another'),
    ],
    figures: [
      [STREAMS, 'PER_USER = { fallback: 40,'],
      [STREAMS, 'PER_ORGANIZATION = { fallback: 500,'],
    ],
  },
  'changes or guesses passwords': {
    tests: [
      ['src/platform/transaction-scope.test.ts', 'a password is hashed outside a transaction'],
      app('sign-in', 'of a hundred tries at once from one network five reach the password'),
      app('sign-in', 'one address tries twenty accounts and no more'),
      app('sign-in', 'an account takes fifty wrong tries from everywhere'),
      hostile('contention', 'Passwords: 60 changes'),
    ],
  },
  "points a contact at another server, or at another customer's path on the same host": {
    tests: [
      ['src/domain/alerts/contact.test.ts', "{ server: 'https://b.example' }"],
      ['src/domain/alerts/contact.test.ts', 'https://host.example/acme-evil'],
    ],
  },
  'locks an account with wrong passwords from many networks': {
    tests: [
      app('sign-in', 'its known browser still gets in'),
      app('passkeys', 'a new browser gets in while strangers keep the account locked'),
      app('mail', 'the link lets its browser in while strangers keep the account locked'),
    ],
  },
  'sends email through us': {
    tests: [
      app('mail-abuse', 'an address of a stranger gets one email, and alerts only once'),
      app('mail-abuse', 'an address gets five emails an hour from all organizations together'),
      app('mail-abuse', 'one person invites fifty, over all their organizations'),
      [
        'src/channels/email/account-emails.test.ts',
        "subject of a mail to a stranger is the sender's",
      ],
    ],
  },
  'opens WebSockets at `/probe`, where probes join through port 443': {
    tests: [
      [
        'test/e2e/operating/port-443.test.ts',
        'strangers are disconnected, and other paths are not passed on',
      ],
    ],
    figures: [['test/e2e/operating/port-443.test.ts', 'STRANGERS_WITHIN_MS = 10_000']],
  },
  'finds a token of a probe': {
    tests: [
      ['test/e2e/operating/join-tokens.test.ts', 'a token that was used: NATS disconnects'],
      ['test/e2e/operating/join-tokens.test.ts', 'messages of a request to join'],
      ['test/e2e/operating/join-tokens.test.ts', 'ten requests a minute of a token'],
      ['test/e2e/operating/join-tokens.test.ts', 'a flood from one token: it ends'],
    ],
    figures: [
      ['src/wiring/probe-joins.ts', 'REQUESTS_PER_TOKEN = 10'],
      ['src/wiring/probe-joins.ts', 'FLOOD_OF_TOKEN = 200'],
      ['src/bus/probe-token.ts', 'MAX_JOIN_BYTES = 1024'],
    ],
  },
  'sends us the file of a moved organization': {
    tests: [
      ['src/operator/moves/hostile-moves.db.test.ts', 'not taken from the file'],
      ['src/operator/moves/hostile-moves.db.test.ts', 'the guide decides about every column'],
    ],
  },
  'writes a configuration file that a pipeline checks': {
    tests: [['cli/src/as-code/file/programs.slow.test.ts', 'does not run a program that it finds']],
  },
  'runs hostile targets, WHOIS servers and webhook receivers': {
    tests: [
      ['src/checks/hostile.test.ts', 'every type ends in time with the right cause'],
      ['src/checks/hostile.test.ts', 'bomb of 256 MiB is read to the cap'],
      ['src/checks/http.test.ts', '10 redirects are followed, the 11th is one too many'],
      ['src/checks/whois.test.ts', 'no answer takes 100 ms to read'],
      ['test/e2e/webhooks/delivery.test.ts', 'a redirect is a failure'],
      ['test/e2e/webhooks/delivery.test.ts', 'the answer is kept up to 16 KiB'],
      ['tools/regex/regex.test.ts', 'check:regex refuses'],
      hostile('servers', 'registries and receivers of one organization hold up nobody'),
    ],
  },
}

/** By the first cell of the table of figures: the attack that is measured. */
const MEASURED: Readonly<Record<string, Place>> = {
  '500 half-sent bodies, 300 slow headers': hostile('bodies', '500 half-sent ones and 300 slow'),
  'calendars of 400 daily windows': hostile('calendar', '400 daily windows'),
  '200 parallel writes': hostile('contention', 'Writes: 200 at once'),
  '60 password changes': hostile('contention', 'Passwords: 60 changes'),
  '200 writes to one row': hostile('contention', 'One row: '),
  'floods of sign-ins, keys, contacts, hosts, heartbeats': hostile('floods', 'Floods: '),
  'hostile Markdown in drafts': hostile('markdown', 'drafts of a READ_ONLY member'),
  'hostile Markdown on pages and in emails': hostile('markdown', 'on a page and in mails'),
  'hostile targets, WHOIS and webhook servers': hostile('servers', 'hostile targets, registries'),
  '5,000 event streams': hostile('streams', '5,000 of one organization'),
  'all of these at once': hostile('together', 'Everything at once'),
}

/** What the suite allows, as the text below the table says. */
const ALLOWED: readonly (readonly [sentence: string, ...figures: readonly Place[]])[] = [
  ['a p99 of five times its quiet half minute', ['test/hostile/figures.ts', 'TIMES_QUIET = 5']],
  [
    '(100 ms at least, 250 ms at most)',
    ['test/hostile/figures.ts', 'ALWAYS_ALLOWED_MS = 100'],
    ['test/hostile/figures.ts', 'MAX_P99_MS = 250'],
  ],
  ['100 ms for `/livez`', ['test/hostile/figures.ts', 'MAX_LIVEZ_MS = 100']],
  ['checks 1 s late', ['test/hostile/figures.ts', 'MAX_CHECK_LATE_MS = 1_000']],
  ['deliveries 2 s late', ['test/hostile/figures.ts', 'MAX_DELIVERY_LATE_MS = 2_000']],
  [
    'allowed 200 ms and ten times the quiet p99 (200 ms at least, 250 ms at most). The same is allowed for whole bodies',
    hostile('calendar', 'maxP99Ms: 250, maxLivezMs: 200, timesQuiet: 10, allowedP99Ms: 200'),
    hostile('bodies', 'maxP99Ms: 250, maxLivezMs: 200, timesQuiet: 10, allowedP99Ms: 200'),
  ],
  [
    'allows 1.5 s for a p99 and 400 ms for `/livez`',
    hostile('together', 'maxP99Ms: 1_500, maxLivezMs: 400'),
  ],
]

function read(file: string): string {
  return readFileSync(join(ROOT, file), 'utf8')
}

function missing(places: readonly Place[]): string[] {
  return places
    .filter(([file, text]) => !read(file).includes(text))
    .map((place) => place.join(': '))
}

/** The first cells of the table that starts with this one. */
function rowsBelow(head: string): string[] {
  const [, table = ''] = DOCUMENT.split(`| ${head} |`)
  const [rows = ''] = table.split('\n\n')
  return [...rows.matchAll(/^\| (?!-)([^|\n]+) \|/gm)].map(([, cell = '']) => cell)
}

test('each protection is named in the document, and by a test', () => {
  const text = DOCUMENT.replaceAll(/\s+/g, ' ').toLowerCase()
  for (const [claim, { tests }] of Object.entries(PROTECTIONS)) {
    assert.ok(text.includes(claim.toLowerCase()), `SECURITY.md does not say: ${claim}`)
    assert.deepEqual(missing(tests), [], claim)
  }
})

test('each limit of the table has tests that fail without it, and the figures of the sources', () => {
  assert.deepEqual(rowsBelow('An attacker who'), Object.keys(LIMITED))
  for (const [claim, { tests, figures = [] }] of Object.entries(LIMITED)) {
    assert.ok(tests.length > 0, claim)
    assert.deepEqual(missing([...tests, ...figures]), [], claim)
  }
})

test('each row of figures is an attack of test/hostile', () => {
  const rows = rowsBelow('Attack').filter((row) => row !== 'none (quiet minute)')
  assert.deepEqual(rows, Object.keys(MEASURED))
  assert.deepEqual(missing(Object.values(MEASURED)), [])
})

test('the bounds of the text are those of the suite', () => {
  const text = DOCUMENT.replaceAll(/\s+/g, ' ')
  for (const [sentence, ...figures] of ALLOWED) {
    assert.ok(text.includes(sentence), `SECURITY.md does not say: ${sentence}`)
    assert.deepEqual(missing(figures), [], sentence)
  }
})
