// The same 40 instants on every surface, for viewers in three time zones, against dates that are computed without Intl.
import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'

const PROGRAM = join(import.meta.dirname, '../../../test/samples/time-surfaces.ts')
const DAYS = ['Mon', 'Tue', 'Wed', 'Thu', 'Fri', 'Sat', 'Sun']
const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec']
const NAMES: Record<string, [winter: string, summer: string]> = {
  'America/New_York': ['EST', 'EDT'],
  'Europe/Berlin': ['CET', 'CEST'],
  'Asia/Kolkata': ['IST', 'IST'],
}
// Around midnights, the turn of the year and the clock changes of America and Europe.
const EDGES = [
  '2026-01-01T04:59:59.000Z',
  '2026-01-01T05:00:00.000Z',
  '2026-03-08T06:59:30.000Z',
  '2026-03-08T07:00:00.000Z',
  '2026-03-29T00:59:59.000Z',
  '2026-03-29T01:00:00.000Z',
  '2026-06-30T18:30:00.000Z',
  '2026-10-25T00:30:00.000Z',
  '2026-10-25T01:30:00.000Z',
  '2026-11-01T05:30:00.000Z',
  '2026-11-01T06:30:00.000Z',
  '2026-11-17T23:00:00.000Z',
]
const FIRST = Date.parse('2026-01-05T03:07:11.000Z')
const STEP_MS = (12 * 24 + 7) * 3_600_000 + 61_000
const INSTANTS = [
  ...EDGES,
  ...Array.from({ length: 28 }, (_, at) => new Date(FIRST + at * STEP_MS).toISOString()),
]

type Written = Record<string, string>

const two = (number: number): string => String(number).padStart(2, '0')

/** What a person there reads, by their calendar. */
function readIn(zone: string, instant: string | number) {
  const at = Temporal.Instant.fromEpochMilliseconds(new Date(instant).getTime())
  const local = at.toZonedDateTimeISO(zone)
  const january = Temporal.PlainDateTime.from('2026-01-15T12:00').toZonedDateTime(zone)
  const [winter, summer] = NAMES[zone] ?? ['', '']
  const day = `${DAYS[local.dayOfWeek - 1]}, ${MONTHS[local.month - 1]} ${local.day}`
  return {
    day,
    clock: `${two(local.hour)}:${two(local.minute)}`,
    year: local.year,
    seconds: two(local.second),
    zone: local.offset === january.offset ? winter : summer,
  }
}

function write(zone: string, language: string, instants: readonly string[]): Written[] {
  const env = { ...process.env, TZ: zone, LC_ALL: `${language}.UTF-8` }
  const out = execFileSync(process.execPath, [PROGRAM, JSON.stringify(instants)], { env })
  return JSON.parse(out.toString())
}

const written = new Map<string, Written[]>()
for (const zone of Object.keys(NAMES)) written.set(zone, write(zone, 'en_US', INSTANTS))

test('40 instants, each once', () => assert.equal(new Set(INSTANTS).size, 40))

for (const [zone, rows] of written)
  test(`the dashboard in ${zone}: American dates, local times, and the zone's name`, () => {
    for (const [index, at] of INSTANTS.entries()) {
      const row = rows[index] ?? {}
      const { day, clock, year, seconds, zone: name } = readIn(zone, at)
      const end = readIn(zone, Date.parse(at) + 3_600_000)
      // One instant is in the year before for viewers in America.
      const date = year === 2026 ? day : `${day.slice(5)}, ${year}`
      const full = `${day}, ${year}, ${clock}:${seconds} ${name}`
      assert.equal(row['moment'], `${date}, ${clock}`, at)
      assert.equal(row['zone'], name, at)
      assert.equal(row['monitorRow'], `Checked ${full}.`, at)
      assert.equal(row['auditLog'], full, at)
      const isOneDay = end.day === day
      assert.equal(row['chartDay'], date, at)
      assert.equal(row['chartClock'], clock, at)
      if (isOneDay) assert.equal(row['chartTip'], `${date}, ${clock} – ${end.clock}`, at)
      else
        assert.ok(row['chartTip']?.endsWith(`${end.day}, ${end.clock}`), `${row['chartTip']} ${at}`)
      assert.equal(row['timeline'], `${date} ${clock}:${seconds}`, at)
      assert.equal(row['field'], `${day}, ${year}, ${clock}`, at)
      if (isOneDay) assert.equal(row['window'], `${date}, ${clock} – ${end.clock}`, at)
      assertOwnSpan(row['windowsOwn'] ?? '', zone, at)
    }
  })

function assertOwnSpan(own: string, zone: string, at: string): void {
  if (zone === 'Europe/Berlin') return assert.equal(own, '', at)
  const berlin = readIn('Europe/Berlin', at)
  const end = readIn('Europe/Berlin', Date.parse(at) + 3_600_000)
  const start = `${berlin.day === readIn(zone, at).day ? '' : `${berlin.day}, `}${berlin.clock}`
  const to = `${berlin.day === end.day ? '' : `${end.day}, `}${end.clock}`
  assert.equal(own, `${start} – ${to} in Berlin (Europe)`, at)
}

test('pages and emails name the zone of the page and organization, wherever the service runs', () => {
  const rows = written.get('Asia/Kolkata') ?? []
  for (const [index, at] of INSTANTS.entries()) {
    const { day, clock, zone } = readIn('Europe/Berlin', at)
    const { incidentPage = '', windowPage = '', history, ...emails } = rows[index] ?? {}
    const { subscriber, account, slack, alert } = emails
    assert.match(incidentPage, new RegExp(`<dd><time [^>]*>${day}, ${clock} ${zone}<`), at)
    assert.match(windowPage, new RegExp(`<dd><time [^>]*>${day}, ${clock} ${zone}<`), at)
    assert.ok(history?.includes(`<h2>${day}</h2>`), at)
    assert.ok(history?.includes('Days in Europe/Berlin'), at)
    assert.ok(subscriber?.includes(`${day}, 2026, ${clock} ${zone}`), at)
    assert.ok(account?.includes(`Time: ${day}, 2026, ${clock} ${zone}`), at)
    assert.ok(slack?.includes(`\\n${day}, 2026, ${clock} ${zone}\\n`), `${slack} ${at}`)
    assert.equal(alert, `HTTP 503 since ${day}, ${clock} ${zone}`)
  }
  const sent = ['incidentPage', 'windowPage', 'history', 'subscriber', 'alert']
  sent.push('account', 'slack', 'overview', 'rss', 'atom')
  const only = (all: Written[] = []) => all.map((row) => sent.map((surface) => row[surface]))
  for (const zone of Object.keys(NAMES)) assert.deepEqual(only(written.get(zone)), only(rows))
})

test('overview and feeds: the day and time of the page’s zone, and every machine-readable time is the instant', () => {
  const rows = written.get('America/New_York') ?? []
  for (const [index, at] of INSTANTS.entries()) {
    const { day, clock, zone } = readIn('Europe/Berlin', at)
    const { overview = '', rss = '', atom = '' } = rows[index] ?? {}
    assert.match(overview, new RegExp(`>${day}, ${clock} ${zone}</time>`), at)
    // The phases of the open incident, and the heading of the day on which the other began.
    assert.match(overview, new RegExp(`>${day.slice(5)}, ${clock}</time>`), at)
    assert.ok(overview.includes(`<h3>${day}</h3>`), at)
    for (const [, iso] of overview.matchAll(/datetime="([^"]+)"/g)) assert.equal(iso, at)
    assert.ok(rss.includes(`<pubDate>${new Date(at).toUTCString()}</pubDate>`), at)
    assert.ok(atom.includes(`<published>${at}</published>`), at)
    for (const feed of [rss, atom]) assert.ok(feed.includes(`${day}, ${clock} ${zone}`), at)
  }
})

test('the dashboard is English: British dates for the British, American ones for other languages', () => {
  const at = ['2026-11-17T23:00:00.000Z']
  assert.equal(write('Europe/London', 'en_GB', at)[0]?.['moment'], 'Tue 17 Nov, 23:00')
  assert.equal(write('Europe/Berlin', 'de_DE', at)[0]?.['moment'], 'Wed, Nov 18, 00:00')
})

// What writes times; the zone and the wall clock of the viewer; and the visitor's own time on public pages.
const FORMATTERS = [
  'src/domain/values/time-text.ts',
  'src/domain/values/zone-name.ts',
  'src/pages/assets/page.js',
  'web/src/time/viewer.ts',
  'web/src/time/wall-time.ts',
]

test('one module formats times: no other source of the service or the dashboard does', () => {
  const root = join(import.meta.dirname, '../../..')
  const found = globSync('{src,web/src}/**/*.{ts,tsx,js}', { cwd: root })
    .filter((file) => !file.endsWith('.test.ts'))
    .filter((file) =>
      /new Intl\.DateTimeFormat|Intl\.DateTimeFormat\(|toLocale(?:Date|Time)String/.test(
        readFileSync(join(root, file), 'utf8'),
      ),
    )
  assert.deepEqual(found.toSorted(), FORMATTERS)
})
