// One SVG per component: one path for all good days, and a link for each bad one. The page's script shows what a day
// was like, from `data-codes` and the titles of the links.
import { type BadDay, type BarState, CODES, type Day } from '../../domain/monitors/day-bars.ts'
import { type Html, html, raw } from '../../render/html.ts'
import type { Format } from '../../render/page-format.ts'
import type { PageComponent, PageSnapshot } from '../snapshot/snapshot.ts'
import type { Links } from './links.ts'

const WIDTH = 717
const HEIGHT = 30
// 90 bars of 5 with gaps of 3 fill the width exactly.
const GAP = 3
const MOST_WITH_GAP = 120
// Beyond this many days there is no room for rounded corners.
const MOST_ROUNDED = 144
const DAYS_ON_A_PHONE = 45
const SPOKEN_DAYS = 12

export function renderBars(
  component: PageComponent,
  snapshot: PageSnapshot,
  { format, links }: { format: Format; links: Links },
): Html {
  const { bars } = component
  const { days } = snapshot
  const shape = shapeOf(days.length)
  const dateOf = (index: number) => days[index]?.date ?? ''
  const say = (day: BadDay) =>
    `${format.shortDate(dateOf(day.index))}: ${describeBadDay(day, format)}`
  const indexes = (code: string) => [...bars.codes].flatMap((one, i) => (one === code ? [i] : []))
  const good = indexes('u').map(shape.full).join('')
  const empty = indexes('-').map(shape.outline).join('')
  const linked = bars.bad.map(
    (day) =>
      html`<a href="${links.day(day.reason, dateOf(day.index))}"><title>${say(day)}</title>${shape.bad(day)}</a>`,
  )
  const label = [heading(component, snapshot, format), bars.bad.slice(-SPOKEN_DAYS).map(say)]
  const name = label
    .flat()
    .filter((text) => text !== '')
    .join('. ')
  return html`<div class="bars${shape.names}"><svg viewBox="0 0 ${WIDTH} ${HEIGHT}" preserveAspectRatio="none" role="group" aria-label="${name}" data-codes="${bars.codes}">${good !== '' && raw(`<path class="b-up" d="${good}"/>`)}${empty !== '' && raw(`<path class="b-none" d="${empty}"/>`)}${linked}</svg></div>`
}

/** `90 days ago … Today`; on a phone the SVG shows only its newer part. */
export function renderAxis(days: number, { messages }: Format): Html {
  const short = Math.round(days / foldsOf(days))
  return html`<div class="axis"><span class="long">${messages.daysAgo(days)}</span><span class="short">${messages.daysAgo(short)}</span><span>${messages.today}</span></div>`
}

/** `Down, 21 min` */
export function describeBadDay(
  { state, downMs, degradedMs }: BadDay,
  { messages, duration }: Format,
): string {
  const ms = state === 'DOWN' ? downMs : state === 'DEGRADED' ? degradedMs : 0
  return ms < 1000 ? messages.bars[state] : `${messages.bars[state]}, ${duration(ms)}`
}

function heading(component: PageComponent, snapshot: PageSnapshot, format: Format): string {
  const measured = describeUptime(component, snapshot, format)
  return `${component.name}: ${measured === '' ? '' : `${measured}, `}${format.messages.days(snapshot.days.length)}`
}

type Shown = { page: Pick<PageSnapshot['page'], 'showUptime'>; days: readonly Day[] }

/** `99.97% uptime`. Of a component that is new, `measured since Nov 14`; empty if there is nothing to say. */
export function describeUptime(
  { uptime, bars }: Pick<PageComponent, 'uptime' | 'bars'>,
  { page, days }: Shown,
  { messages, percent, shortDate }: Format,
): string {
  if (!page.showUptime) return ''
  if (uptime !== null) return messages.uptime(percent(uptime))
  const first = days[[...bars.codes].findIndex((code) => code !== CODES.NONE)]
  return first === undefined ? '' : messages.measuredSince(shortDate(first.date))
}

const foldsOf = (days: number) =>
  [1, 2, 4, 8].find((folds) => days / folds <= DAYS_ON_A_PHONE + 1) ?? 8

type Shape = {
  names: string
  full(index: number): string
  outline(index: number): string
  bad(day: BadDay): Html
}

function shapeOf(days: number): Shape {
  const gap = days <= MOST_WITH_GAP ? GAP : (GAP * 90) / days
  const slot = (WIDTH + gap) / days
  const isFine = days > MOST_ROUNDED
  // Half of the stroke lies outside the path, so the path is smaller than the visible bar.
  const edge = isFine ? 0 : 1
  const width = slot - gap - 2 * edge
  const box = (index: number, y: number, height: number) =>
    `M${short(index * slot + edge)} ${y + edge}h${short(width)}v${height - 2 * edge}h${short(-width)}z`
  const folds = foldsOf(days)
  const bad = ({ index, state }: BadDay) => {
    const paths = BAD[state].map(([name, ...boxes]) => {
      const d = boxes.map(([y, height]) => box(index, y, height)).join('')
      return `<path class="b-${name}" d="${d}"/>`
    })
    return raw(paths.join(''))
  }
  return {
    names: `${folds > 1 ? ` by-${folds}` : ''}${isFine ? ' fine' : ''}`,
    full: (index) => box(index, 0, HEIGHT),
    outline: (index) =>
      `M${short(index * slot + 0.5)} .5h${short(width + 2 * edge - 1)}v29h${short(1 - width - 2 * edge)}z`,
    bad,
  }
}

type Box = [y: number, height: number]
// Half height, a gap below the top, hatched: distinguishable without color.
const BAD: Readonly<Record<Exclude<BarState, 'UP' | 'NONE'>, [string, ...Box[]][]>> = {
  DEGRADED: [
    ['track', [0, 12]],
    ['degraded', [15, 15]],
  ],
  DOWN: [['down', [0, 5], [8, 22]]],
  MAINTENANCE: [['maint', [0, HEIGHT]]],
}

const short = (value: number) => String(Math.round(value * 100) / 100)

const SAMPLE: readonly [BarState, string][] = [
  ['UP', '<path class="b-up" d="M1 1h3v12h-3z"/>'],
  [
    'DEGRADED',
    '<path class="b-track" d="M1 1h3v4h-3z"/><path class="b-degraded" d="M1 8h3v5h-3z"/>',
  ],
  ['DOWN', '<path class="b-down" d="M1 1h3v2h-3zM1 7h3v6h-3z"/>'],
  ['MAINTENANCE', '<path class="b-maint" d="M1 1h3v12h-3z"/>'],
  ['NONE', '<path class="b-none" d="M.5 .5h4v13h-4z"/>'],
]

export function renderLegend({ messages }: Format): Html {
  const entries = SAMPLE.map(
    ([state, shape]) =>
      html`<span><svg width="5" height="14" viewBox="0 0 5 14" aria-hidden="true">${raw(shape)}</svg>${messages.bars[state]}</span>`,
  )
  return html`<div class="legend">${entries}</div>`
}
