// Moves toasts to where they cover no control, also when the screen changes below them.
import { type Box, type Obstacle, placeToast } from './toast-place.ts'

const CONTROLS = 'button, input, select, textarea, summary, .btn, [role=option], [role=switch]'
const LINKS = 'a[href]'
const CONTROL_WEIGHT = 10
const LINK_WEIGHT = 1
const MARGIN_PX = 16
// Screens change while a toast is shown, such as after the write it reports.
const AGAIN_MS = 250

/** Until stopped. It never moves while the person points at it or has the focus in it. */
export function keepClear(toasts: HTMLElement): () => void {
  let corner: { left: number; top: number } | undefined
  const place = () => {
    if (toasts.matches(':hover, :focus-within') && corner !== undefined) return
    const { offsetWidth: width, offsetHeight: height } = toasts
    corner = placeToast({ width, height }, areaOf(), obstaclesOf(toasts), corner)
    toasts.style.transform = `translate(${corner.left}px, ${corner.top}px)`
  }
  place()
  const timer = setInterval(place, AGAIN_MS)
  window.addEventListener('resize', place)
  return () => {
    clearInterval(timer)
    window.removeEventListener('resize', place)
  }
}

/** The part of the content column that is in the window, above the tab bar of phones. */
function areaOf(): Box {
  const { innerWidth, innerHeight } = window
  const column = document.querySelector('.column')?.getBoundingClientRect()
  const bar = document.querySelector('.tabbar')?.getBoundingClientRect()
  const left = Math.max(0, column?.left ?? 0) + MARGIN_PX
  const end = Math.min(innerWidth, column?.right ?? innerWidth) - MARGIN_PX
  const foot = bar !== undefined && bar.height > 0 ? bar.top : innerHeight
  return { left, top: MARGIN_PX, width: end - left, height: foot - 2 * MARGIN_PX }
}

function obstaclesOf(toasts: HTMLElement): Obstacle[] {
  const found = [...document.querySelectorAll(`${CONTROLS}, ${LINKS}`)]
  return found.flatMap((element) => {
    if (toasts.contains(element)) return []
    const { left, top, width, height } = element.getBoundingClientRect()
    const isShown = width > 0 && height > 0 && top < window.innerHeight && top + height > 0
    const weight = element.matches(CONTROLS) ? CONTROL_WEIGHT : LINK_WEIGHT
    return isShown ? [{ left, top, width, height, weight }] : []
  })
}
