// Keeps keyboard focus when the focused element disappears (a deleted row, a one-time button, a toast). Focus moves to
// the element that took its place instead of the top of the page.

// Dialogs and menus restore the focus themselves, shortly after they close.
const WAIT_MS = 100
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea'

/** An element that had or contained the focus, and its index among its siblings. */
type PathStep = { element: Element; index: number }

export function keepFocus(): void {
  let last: Element | undefined
  let path: readonly PathStep[] = []
  let waiting: number | undefined
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    last = target
    // Dialogs, menus and toasts float above the place they were opened from.
    if (target.closest('main') !== null) path = pathTo(target)
  })
  document.addEventListener('focusout', () =>
    queueMicrotask(() => {
      // The focus was lost to a click elsewhere, which is where the person wants to be.
      if (isFocusLost() && last?.isConnected) last = undefined
    }),
  )
  new MutationObserver(() => {
    if (last === undefined || last.isConnected || !isFocusLost()) return
    window.clearTimeout(waiting)
    waiting = window.setTimeout(() => {
      if (isFocusLost() && document.querySelector('[role=dialog]:not(.toast)') === null)
        restoreFocus(path)
    }, WAIT_MS)
  }).observe(document.body, { childList: true, subtree: true })
}

const isFocusLost = (): boolean =>
  document.activeElement === document.body || document.activeElement === null

/** From the element up to and including the screen. */
function pathTo(element: Element): PathStep[] {
  const path: PathStep[] = []
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    path.push({ element: at, index: [...(at.parentElement?.children ?? [])].indexOf(at) })
    if (at.tagName === 'MAIN') break
  }
  return path
}

function restoreFocus(path: readonly PathStep[]): void {
  const screen = document.querySelector<HTMLElement>('main')
  const found = path.findIndex(({ element }) => element.isConnected)
  // A screen that re-rendered completely has its parts in the same positions.
  const stays = path[found]?.element ?? screen
  const target = stays && findReplacement(stays, path.slice(0, found))
  if (target instanceof HTMLElement) target.focus()
  else screen?.focus({ preventScroll: true })
}

/** The element now at the lost one's position, within the part of its path that remains. */
function findReplacement(stays: Element, lost: readonly PathStep[]): Element | undefined {
  let at = stays
  for (const { index } of lost.toReversed())
    at = at.children[Math.min(index, at.children.length - 1)] ?? at
  let target = firstIn(at)
  while (target === undefined && at !== stays && at.parentElement !== null) {
    at = at.parentElement
    target = firstIn(at)
  }
  // If a whole part of the screen is gone, its neighbor is something else: pressing again must not trigger it.
  const isSame = stays.tagName !== 'MAIN' || nameOf(target) === nameOf(lost[0]?.element)
  return isSame ? target : undefined
}

const nameOf = (element: Element | undefined): string | null | undefined =>
  element?.getAttribute('aria-label') ?? element?.textContent

function firstIn(element: Element): Element | undefined {
  if (element.matches(FOCUSABLE)) return element
  return [...element.querySelectorAll(FOCUSABLE)].find((one) => one.checkVisibility())
}
