// The same task with a mouse and with the keyboard alone. The keyboard goes by Tab and arrows from where the focus is,
// and what has the focus must show it.
import assert from 'node:assert/strict'
import type { Locator } from 'playwright-core'

export type Hand = {
  name: string
  press(target: Locator): Promise<void>
  write(target: Locator, text: string): Promise<void>
  /** An option of a select, by its value. */
  choose(target: Locator, value: string): Promise<void>
  /** A box, or a radio of a group. */
  tick(target: Locator, on?: boolean): Promise<void>
}

export const mouse: Hand = {
  name: 'by mouse',
  press: (target) => target.click(),
  write: (target, text) => target.fill(text),
  choose: async (target, value) => void (await target.selectOption(value)),
  tick: (target, on = true) => target.setChecked(on),
}

const MOST_STEPS = 120
const FOCUS_LOOKS = 20
const FOCUS_POLL_MS = 50

export const keyboard: Hand = {
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
    // Tab comes to the one of a group that is chosen; arrows choose another.
    const name = await target.getAttribute('name')
    await reach(target.page().locator(`input[type=radio][name="${name}"]:checked`))
    for (let step = 0; step < MOST_STEPS && !(await target.isChecked()); step++)
      await target.page().keyboard.press('ArrowRight')
  },
}

export const HANDS = [mouse, keyboard] as const

// As much of the browser as is asked for here: the tests themselves know none.
type Styled = { outlineStyle: string; outlineWidth: string; boxShadow: string }
type Element = {
  tagName: string
  parentElement: Element | null
  getAttribute(name: string): string | null
  hasAttribute(name: string): boolean
  compareDocumentPosition(other: Element): number
}
type Browser = {
  document: { activeElement: Element | null; body: Element }
  getComputedStyle(element: Element): Styled
}

type Select = { options: Iterable<{ value: string }>; selectedIndex: number }

function arrowTo(select: Select, value: string): string {
  const wanted = [...select.options].findIndex((option) => option.value === value)
  return wanted > select.selectedIndex ? 'ArrowDown' : 'ArrowUp'
}

/** The key that leads towards it; empty when it has the focus. */
function wayTo(element: Element): string {
  const FOLLOWING = 4
  const { document } = globalThis as unknown as Browser
  const active = document.activeElement
  if (active === element) return ''
  if (element.getAttribute('role')?.startsWith('menuitem')) return 'ArrowDown'
  const isBehind =
    active === null ||
    active === document.body ||
    (active.compareDocumentPosition(element) & FOLLOWING) !== 0
  return isBehind ? 'Tab' : 'Shift+Tab'
}

/** By an outline or a shadow, an input's by what stands around it, or as the marked item of a menu. */
function showsFocus(element: Element): boolean {
  const { getComputedStyle } = globalThis as unknown as Browser
  const isMarked = (of: Element | null, byShadow: boolean) => {
    if (of === null) return false
    const { outlineStyle, outlineWidth, boxShadow } = getComputedStyle(of)
    if (outlineStyle !== 'none' && outlineWidth !== '0px') return true
    return byShadow && boxShadow !== 'none'
  }
  if (element.hasAttribute('data-highlighted') || isMarked(element, true)) return true
  if (element.tagName !== 'INPUT') return false
  return (
    isMarked(element.parentElement, true) ||
    isMarked(element.parentElement?.parentElement ?? null, false)
  )
}

/** Tab or arrows until it has the focus. */
async function reach(target: Locator): Promise<void> {
  await target.waitFor()
  for (let step = 0; step < MOST_STEPS; step++) {
    const key = await target.evaluate(wayTo)
    if (key === '') return assertFocusShown(target)
    await target.page().keyboard.press(key)
  }
  assert.fail(`Tab never came to ${target}`)
}

/** Within the moment that a transition takes. */
async function assertFocusShown(target: Locator): Promise<void> {
  for (let look = 0; look < FOCUS_LOOKS; look++) {
    if (await target.evaluate(showsFocus)) return
    await target.page().waitForTimeout(FOCUS_POLL_MS)
  }
  assert.fail(`focus is not shown at ${target}`)
}
