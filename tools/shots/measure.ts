// Layout and accessibility checks: nothing is wider than the window, cut off or overlapping, nothing moves while
// loading, and nothing blocks a screen reader.
import type { Page } from 'playwright-core'
import { findBarriers } from '../../test/e2e/pages/browser.ts'

const MOST_SHIFT = 0.02

/** Runs before the page's own scripts and adds up layout shifts without user input. */
export const WATCH_SHIFTS = `
  globalThis.__shift = 0
  globalThis.__moved = []
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries()) {
      if (entry.hadRecentInput) continue
      globalThis.__shift += entry.value
      for (const { node } of entry.sources ?? [])
        globalThis.__moved.push((node?.parentElement?.className ?? '') + ' > ' + (node?.className || node?.nodeName))
    }
  }).observe({ type: 'layout-shift', buffered: true })`

/** Makes labels as long as in another language: a third longer, in the last word. */
const LENGTHEN = `(() => {
  const PARTS = 'button, .btn, label, th, legend, h2, h3, nav a, [role=tab], [role=menuitem], .hint, summary'
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT)
  const texts = []
  while (walker.nextNode()) texts.push(walker.currentNode)
  for (const text of texts) {
    const plain = text.data.trim()
    if (plain.length < 3 || !text.parentElement.closest(PARTS) || text.parentElement.closest('bdi, kbd, .mono')) continue
    const more = 'ungsverfahrensgesetz'.repeat(10).slice(0, Math.ceil(plain.length * 0.35))
    text.data = text.data.trimEnd() + more
  }
})()`

// Visible text with its boxes, without text that is only for screen readers, drawn or covered.
const TEXTS = `
  const isShown = (element) => element.checkVisibility({ opacityProperty: true, visibilityProperty: true })
  const isHidden = (box, style) => (box.width <= 1 && box.height <= 1) || style.clipPath.startsWith('inset(50%')
  const layerOf = (element) => element.closest('[role=dialog], [role=menu], [role=listbox], [data-base-ui-portal]')
  const top = [...document.querySelectorAll('[role=dialog], [role=menu]')].filter(isShown).at(-1)
  const texts = []
  for (const element of document.body.querySelectorAll('*')) {
    if (element.closest('svg, canvas, .uplot, noscript, select, [inert], [aria-hidden=true]')) continue
    if (top !== undefined && !top.contains(element)) continue
    const own = [...element.childNodes].filter((n) => n.nodeType === 3 && n.data.trim() !== '')
    if (own.length === 0 || !isShown(element)) continue
    const style = getComputedStyle(element)
    if (isHidden(element.getBoundingClientRect(), style) || element.closest('.sr, .visually-hidden, .sr-only')) continue
    texts.push({ element, own, style, text: own.map((n) => n.data.trim()).join(' ') })
  }
  const say = ({ element, text }) => (element.closest('[class]')?.className ?? '') + ': ' + text.slice(0, 60)`

const FIND_CLIPPED = `(() => { ${TEXTS}
  const clips = (style, axis) => ['hidden', 'clip'].includes(axis === 'x' ? style.overflowX : style.overflowY)
  const hasTitle = (element) => element.closest('[title]') !== null
  return texts.flatMap((found) => {
    for (let box = found.element; box && box !== document.body; box = box.parentElement) {
      const style = getComputedStyle(box)
      if (clips(style, 'x') && box.scrollWidth > box.clientWidth + 1) {
        if (box.clientWidth < 12) return [say(found)]
        const range = document.createRange()
        range.selectNodeContents(found.element)
        const edge = box.getBoundingClientRect()
        const text = range.getBoundingClientRect()
        if (text.right <= edge.right + 1 && text.left >= edge.left - 1) continue
        return hasTitle(found.element) ? [] : [say(found)]
      }
      if (style.overflowX === 'auto' || style.overflowX === 'scroll') return []
    }
    return []
  })
})()`

const FIND_OVERLAPS = `(() => { ${TEXTS}
  const clippers = (element) => {
    const boxes = []
    for (let box = element; box && box !== document.body; box = box.parentElement)
      if (getComputedStyle(box).overflowX !== 'visible') boxes.push(box.getBoundingClientRect())
    return boxes
  }
  const cut = (a, b) => ({
    left: Math.max(a.left, b.left), right: Math.min(a.right, b.right),
    top: Math.max(a.top, b.top), bottom: Math.min(a.bottom, b.bottom),
  })
  const boxes = texts.flatMap((found) => found.own.flatMap((node) => {
    const range = document.createRange()
    range.selectNodeContents(node)
    const edges = clippers(found.element)
    return [...range.getClientRects()].map((rect) => edges.reduce(cut, rect))
      .filter((r) => r.right - r.left > 2 && r.bottom - r.top > 2).map((rect) => ({ found, rect }))
  })).filter(({ rect, found }) => {
    // What scrolls under something fixed is not printed over it.
    const x = (rect.left + rect.right) / 2
    const y = (rect.top + rect.bottom) / 2
    if (y < 0 || y > innerHeight || x < 0 || x > innerWidth) return false
    const hit = document.elementFromPoint(x, y)
    return hit !== null && (hit === found.element || found.element.contains(hit) || hit.contains(found.element))
  }).sort((a, b) => a.rect.top - b.rect.top)
  const faults = []
  boxes.forEach((one, i) => {
    for (let j = i + 1; j < boxes.length && boxes[j].rect.top < one.rect.bottom - 4; j++) {
      const other = boxes[j]
      if (one.found.element === other.found.element) continue
      const across = Math.min(one.rect.right, other.rect.right) - Math.max(one.rect.left, other.rect.left)
      const down = Math.min(one.rect.bottom, other.rect.bottom) - other.rect.top
      if (across > 3 && down > 4) faults.push(say(one.found) + ' / ' + say(other.found))
    }
  })
  return faults
})()`

const FIND_CUT_PLACEHOLDERS = `[...document.querySelectorAll('input[placeholder]')].flatMap((input) => {
  if (input.value !== '' || !input.checkVisibility()) return []
  const style = getComputedStyle(input)
  const pen = document.createElement('canvas').getContext('2d')
  pen.font = [style.fontWeight, style.fontSize, style.fontFamily].join(' ')
  const isFlat = input.clientHeight < 1.5 * parseFloat(style.fontSize)
  const place = input.clientWidth - parseFloat(style.paddingLeft) - parseFloat(style.paddingRight)
  return isFlat || pen.measureText(input.placeholder).width > place + 1 ? ['placeholder: ' + input.placeholder] : []
})`

// The end of a row is missing, and nothing shows that there is more.
const FIND_SIDEWAYS = `[...document.querySelectorAll('.table-wrap > table')]
  .map((table) => [table.className, table.offsetWidth - table.parentElement.clientWidth])
  .filter(([, wider]) => wider > 1).map(([name, wider]) => name + ' by ' + wider + ' px')`

// In the language for tests, letters of messages have accents. Values between them are names, times and addresses.
const FIND_PLAIN = `(() => { ${TEXTS}
  const isName = (element) => element.closest('bdi, code, kbd, pre, time, .mono, option') !== null
  const isMonth = (text) => /^[A-Z][a-z]+ \\d{4}$/.test(text)
  return texts.filter(({ element, text }) => /[A-Za-z]{2}/.test(text) && !/[⟦⟧\\u00e0-\\u024f\\u1e00-\\u1eff]/.test(text) && !isName(element) && !isMonth(text) && element.closest('main'))
    .map(({ text }) => text)
})()`

/** Visible texts of a screen in `en-XA` that are from no catalog. The frame around it is not looked at yet. */
export async function findPlainTexts(page: Page): Promise<string[]> {
  return [...new Set(await page.evaluate<string[]>(FIND_PLAIN))]
}

// A scroll container may be wider than the window; the page may not.
const WIDER =
  'Math.max(document.documentElement.scrollWidth, document.body.scrollWidth) - innerWidth'

// Pixels between the last thing on a page that scrolls and its end. What scrolls in a box counts down to the edge of the
// box, even if it is placed relative to the page and makes that longer.
const BELOW_LAST = `(() => {
  const page = document.documentElement
  if (page.scrollHeight <= innerHeight + 1) return 0
  const bottoms = [...document.querySelectorAll('main *, footer *')].filter((element) => element.checkVisibility())
    .map((element) => {
      let bottom = element.getBoundingClientRect().bottom
      for (let box = element.parentElement; box && box !== document.body; box = box.parentElement)
        if (getComputedStyle(box).overflowY !== 'visible')
          bottom = Math.min(bottom, box.getBoundingClientRect().bottom)
      return bottom
    })
  return Math.round(page.scrollHeight - scrollY - Math.max(...bottoms))
})()`
// The space below the content, and on a phone the bars with the navigation and the actions.
const MOST_BELOW_LAST = 200

type Measurements = {
  wider: number
  belowLast: number
  clipped: string[]
  overlaps: string[]
  sideways: string[]
  shift: number
  moved: string[]
  barriers: string[]
}

async function measureLayout(
  page: Page,
): Promise<Pick<Measurements, 'wider' | 'belowLast' | 'clipped' | 'overlaps'>> {
  return {
    wider: Math.max(0, await page.evaluate<number>(WIDER)),
    belowLast: await page.evaluate<number>(BELOW_LAST),
    clipped: [
      ...new Set(await page.evaluate<string[]>(FIND_CLIPPED)),
      ...(await page.evaluate<string[]>(FIND_CUT_PLACEHOLDERS)),
    ],
    overlaps: [...new Set(await page.evaluate<string[]>(FIND_OVERLAPS))],
  }
}

export async function measure(page: Page, { withBarriers = true } = {}): Promise<Measurements> {
  return {
    ...(await measureLayout(page)),
    sideways: await page.evaluate<string[]>(FIND_SIDEWAYS),
    shift: await page.evaluate<number>('globalThis.__shift ?? 0'),
    moved: [...new Set(await page.evaluate<string[]>('globalThis.__moved ?? []'))],
    barriers: withBarriers ? await findBarriers(page) : [],
  }
}

/** Modifies the page, so it cannot be used afterward. */
export async function measureLengthened(page: Page): Promise<Measurements> {
  await page.evaluate(LENGTHEN)
  return { ...(await measureLayout(page)), sideways: [], shift: 0, moved: [], barriers: [] }
}

/** One line per fault. */
export function faultsOf({
  wider,
  belowLast,
  clipped,
  overlaps,
  sideways,
  shift,
  moved,
  barriers,
}: Measurements): string[] {
  return [
    ...(wider > 0 ? [`${wider} px wider than the window`] : []),
    ...(belowLast > MOST_BELOW_LAST ? [`${belowLast} px of nothing below the last element`] : []),
    ...clipped.map((text) => `cut off: ${text}`),
    ...overlaps.map((text) => `one over the other: ${text}`),
    ...sideways.map((text) => `scrolls sideways: ${text}`),
    ...(shift > MOST_SHIFT
      ? [`moved by ${shift.toFixed(3)}: ${moved.slice(0, 4).join(', ')}`]
      : []),
    ...barriers,
  ]
}

/** Waits until everything is loaded: no placeholders, fonts ready, nothing moving. */
export async function settled(page: Page): Promise<void> {
  await page.locator('h1, [role=dialog]').first().waitFor()
  await page
    .locator('.skeleton, .wait, [class*=-wait]')
    .first()
    .waitFor({ state: 'detached' })
    .catch(() => undefined)
  await page
    .locator('.plot-place:not(:has(canvas, .plot-empty))')
    .first()
    .waitFor({ state: 'detached' })
  await page.evaluate('document.fonts.ready.then(() => undefined)')
  await page.evaluate(
    'new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))',
  )
}
