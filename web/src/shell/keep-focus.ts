// What goes takes the focus with it: a row that was deleted, a button that was pressed for good, a toast. Whoever uses
// the keyboard is then put where they were, at what came into its place, and not at the top of the page.

// Dialogs and menus give the focus back by themselves, a moment after they are gone.
const WAIT_MS = 100
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea'

/** An element that had the focus or held it, and which child of its parent it was. */
type PathStep = { element: Element; index: number }

export function keepFocus(): void {
  let last: Element | undefined
  let path: readonly PathStep[] = []
  let waiting: number | undefined
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    last = target
    // A dialog, a menu or a toast stands over the place that it was opened from.
    if (target.closest('main') !== null) path = pathTo(target)
  })
  document.addEventListener('focusout', () =>
    queueMicrotask(() => {
      // Let go by a click beside it: that is where the person wants to be.
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

/** From the element up to the screen, and with it. */
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
  // A screen that was drawn anew as a whole has its parts where they were.
  const stays = path[found]?.element ?? screen
  const target = stays && findReplacement(stays, path.slice(0, found))
  if (target instanceof HTMLElement) target.focus()
  else screen?.focus({ preventScroll: true })
}

/** What stands now where the lost one stood, below what is left of the way to it. */
function findReplacement(stays: Element, lost: readonly PathStep[]): Element | undefined {
  let at = stays
  for (const { index } of lost.toReversed())
    at = at.children[Math.min(index, at.children.length - 1)] ?? at
  let target = firstIn(at)
  while (target === undefined && at !== stays && at.parentElement !== null) {
    at = at.parentElement
    target = firstIn(at)
  }
  // With a whole part of the screen gone, its neighbour is something else: whoever presses again must not set it off.
  const isSame = stays.tagName !== 'MAIN' || nameOf(target) === nameOf(lost[0]?.element)
  return isSame ? target : undefined
}

const nameOf = (element: Element | undefined): string | null | undefined =>
  element?.getAttribute('aria-label') ?? element?.textContent

function firstIn(element: Element): Element | undefined {
  if (element.matches(FOCUSABLE)) return element
  return [...element.querySelectorAll(FOCUSABLE)].find((one) => one.checkVisibility())
}
