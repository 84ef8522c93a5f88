// The same task with a mouse and with the keyboard only. The keyboard moves by Tab and arrows from the current focus,
// and the focused element must show it.
import assert from 'node:assert/strict'
import type { ElementHandle, Locator, Page } from 'playwright-core'

export type InputMethod = {
  name: string
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
  /** Selects an option by its value. */
  choose(target: Locator, value: string): Promise<void>
  /** A checkbox, or a radio button of a group. */
  tick(target: Locator, on?: boolean): Promise<void>
}

export const mouse: InputMethod = {
  name: 'by mouse',
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  choose: async (target, value) => void (await target.selectOption(value)),
  tick: (target, on = true) => target.setChecked(on),
}

/** On a phone. */
export const thumb: InputMethod = { ...mouse, name: 'by thumb', press: (target) => target.tap() }

const MOST_STEPS = 120
const FOCUS_TRIES = 20
const FOCUS_POLL_MS = 50

export const keyboard: InputMethod = {
  name: 'by keyboard alone',
  async press(target) {
    await reach(target)
    await target.page().keyboard.press('Enter')
  },
  async write(target, text) {
    await reach(target)
    await target.page().keyboard.press('Control+A')
    await target.page().keyboard.insertText(text)
  },
  async choose(target, value) {
    await reach(target)
    for (let step = 0; step < MOST_STEPS; step++) {
      if ((await target.inputValue()) === value) return
      await target.page().keyboard.press(await target.evaluate(arrowTo, value))
    }
    assert.fail(`no option ${value}`)
  },
  async tick(target, on = true) {
    if ((await target.isChecked()) === on) return
    if ((await target.getAttribute('type')) !== 'radio') {
      await reach(target)
      return target.page().keyboard.press('Space')
    }
    // Tab reaches the selected radio button of a group; arrows select another.
    const name = await target.getAttribute('name')
    await reach(target.page().locator(`input[type=radio][name="${name}"]:checked`))
    for (let step = 0; step < MOST_STEPS && !(await target.isChecked()); step++)
      await target.page().keyboard.press('ArrowRight')
  },
}

export const INPUT_METHODS = [mouse, keyboard] as const

/** Waits until it has the focus. */
export const atFocus = (target: Locator): Promise<void> =>
  target.and(target.page().locator(':focus')).waitFor()

/** Tab or arrows until it has the focus; every element on the way must show its focus. */
export async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  const read = focusReader(target)
  let before = ''
  for (let step = 0; step < MOST_STEPS; step++) {
    const look = await readInTime(target.page(), read)
    assert.equal(look.fault, '', `${look.fault}, on the way to ${target}, after ${before}`)
    if (look.key === '') return
    before = look.at
    await target.page().keyboard.press(look.key)
  }
  assert.fail(`Tab never came to ${target}`)
}

type Read = (element: unknown) => FocusStyle | undefined

/** Finding the target by its name reads the whole page, so it is found again only if it was replaced. */
function focusReader(target: Locator): () => Promise<FocusStyle> {
  let found: ElementHandle | undefined
  const read = readFocus as Read
  return async () => {
    for (let tries = 0; tries < FOCUS_TRIES; tries++) {
      const look = await found?.evaluate(read)
      if (look !== undefined) return look
      found = (await target.elementHandle()) ?? undefined
    }
    assert.fail(`${target} is replaced all the time`)
  }
}

/** Allows for the duration of a transition, or of a closing dialog. */
async function readInTime(page: Page, read: () => Promise<FocusStyle>): Promise<FocusStyle> {
  let look = await read()
  for (let looks = 1; look.fault !== '' && looks < FOCUS_TRIES; looks++) {
    await page.waitForTimeout(FOCUS_POLL_MS)
    look = await read()
  }
  return look
}

// The parts of the DOM used here: the tests are compiled without its types.
type Styled = { outline: string; outlineStyle: string; outlineWidth: string; boxShadow: string }
type Element = {
  tagName: string
  tabIndex: number
  isConnected: boolean
  outerHTML: string
  parentElement: Element | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  removeAttribute(name: string): void
  cloneNode(deep: boolean): Element
  after(other: Element): void
  remove(): void
  contains(other: Element | null): boolean
  closest(selector: string): Element | null
  getBoundingClientRect(): { x: number; y: number; width: number; height: number }
  compareDocumentPosition(other: Element): number
}
type Browser = {
  document: {
    activeElement: Element | null
    body: Element
    elementFromPoint(x: number, y: number): Element | null
  }
  getComputedStyle(element: Element): Styled
  /** Whether anything was focused since the page was loaded. */
  hadFocus?: boolean
}

type Select = { options: Iterable<{ value: string }>; selectedIndex: number }

function arrowTo(select: Select, value: string): string {
  const wanted = [...select.options].findIndex((option) => option.value === value)
  return wanted > select.selectedIndex ? 'ArrowDown' : 'ArrowUp'
}

/** The key that leads to it, empty if it has the focus; and what is wrong with the current focus. */
type FocusStyle = { key: string; at: string; fault: string }

/** Runs in the page, so it must be self-contained. Nothing for a target that was replaced. */
function readFocus(element: Element): FocusStyle | undefined {
  if (!element.isConnected) return undefined
  const FOLLOWING = 4
  const browser = globalThis as unknown as Browser
  const { document, getComputedStyle } = browser
  const active = document.activeElement ?? document.body
  const at = active.outerHTML.slice(0, 160)

  /** Whether it is drawn differently than without the focus. */
  const isMarked = (of: Element | null) => {
    if (of === null || of.tagName === 'BODY') return false
    const idle = of.cloneNode(false)
    for (const name of ['autofocus', 'name', 'id', 'data-highlighted']) idle.removeAttribute(name)
    const [now, before] = [getComputedStyle(of), getComputedStyle(idle)]
    of.after(idle)
    const isOutlined = now.outlineStyle !== 'none' && now.outlineWidth !== '0px'
    const isOther =
      now.boxShadow !== before.boxShadow || (isOutlined && now.outline !== before.outline)
    idle.remove()
    return isOther
  }
  /** An input may show it on a surrounding element, and a menu item by its highlight. */
  const isShown = () => {
    if (active.hasAttribute('data-highlighted') || isMarked(active)) return true
    if (active.tagName !== 'INPUT') return false
    // A part of a date, such as its calendar, has the browser's own focus mark.
    if (active.getAttribute('type')?.startsWith('date')) return true
    return isMarked(active.parentElement) || isMarked(active.parentElement?.parentElement ?? null)
  }
  /** Whether another element is in front of its center; toasts do not count. */
  const isCovered = () => {
    const { x, y, width, height } = active.getBoundingClientRect()
    const front = document.elementFromPoint(x + width / 2, y + height / 2)
    if (front === null || front.closest('.toast') !== null) return front === null
    return !(
      active.contains(front) ||
      front.contains(active) ||
      front.closest('label')?.contains(active)
    )
  }
  const findFault = () => {
    if (active === document.body) return browser.hadFocus === true ? 'the focus is lost' : ''
    browser.hadFocus = true
    // Elements that are only focused by script, such as a new screen, need no focus mark.
    if (active.tabIndex < 0 || active.tagName === 'IFRAME') return ''
    if (!isShown()) return `focus is not shown at ${at}`
    return isCovered() ? `something covers ${at}` : ''
  }
  const findKey = () => {
    if (active === element) return ''
    if (element.getAttribute('role')?.startsWith('menuitem')) return 'ArrowDown'
    const isBehind =
      active === document.body || (active.compareDocumentPosition(element) & FOLLOWING) !== 0
    return isBehind ? 'Tab' : 'Shift+Tab'
  }
  return { key: findKey(), at, fault: findFault() }
}
