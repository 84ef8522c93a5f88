// What goes takes the focus with it: a row that was deleted, a button that was pressed for good, a toast. Whoever uses
// the keyboard is then put where they were, at what came into its place, and not at the top of the page.

// Dialogs and menus give the focus back by themselves, a moment after they are gone.
const WAIT_MS = 100
const FOCUSABLE = 'a[href], button:not(:disabled), input:not(:disabled), select, textarea'

/** An element that had the focus or held it, and which child of its parent it was. */
type Place = { element: Element; index: number }

export function keepFocus(): void {
  let last: Element | undefined
  let way: readonly Place[] = []
  let waiting: number | undefined
  document.addEventListener('focusin', ({ target }) => {
    if (!(target instanceof Element)) return
    last = target
    // A dialog, a menu or a toast stands over the place that it was opened from.
    if (target.closest('main') !== null) way = wayTo(target)
  })
  document.addEventListener('focusout', () =>
    queueMicrotask(() => {
      // Let go by a click beside it: that is where the person wants to be.
      if (isLost() && last?.isConnected) last = undefined
    }),
  )
  new MutationObserver(() => {
    if (last === undefined || last.isConnected || !isLost()) return
    window.clearTimeout(waiting)
    waiting = window.setTimeout(() => {
      if (isLost() && document.querySelector('[role=dialog]:not(.toast)') === null) giveBack(way)
    }, WAIT_MS)
  }).observe(document.body, { childList: true, subtree: true })
}

const isLost = (): boolean =>
  document.activeElement === document.body || document.activeElement === null

/** From the element up to the screen, and with it. */
function wayTo(element: Element): Place[] {
  const way: Place[] = []
  for (let at: Element | null = element; at !== null; at = at.parentElement) {
    way.push({ element: at, index: [...(at.parentElement?.children ?? [])].indexOf(at) })
    if (at.tagName === 'MAIN') break
  }
  return way
}

function giveBack(way: readonly Place[]): void {
  const screen = document.querySelector<HTMLElement>('main')
  const found = way.findIndex(({ element }) => element.isConnected)
  // A screen that was drawn anew as a whole has its parts where they were.
  const stays = way[found]?.element ?? screen
  const target = stays && findInstead(stays, way.slice(0, found))
  if (target instanceof HTMLElement) target.focus()
  else screen?.focus({ preventScroll: true })
}

/** What stands now where the lost one stood, below what is left of the way to it. */
function findInstead(stays: Element, lost: readonly Place[]): Element | undefined {
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
