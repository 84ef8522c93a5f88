// Where a toast may stand without covering a control. Pure.

export type Box = { left: number; top: number; width: number; height: number }
/** Something that must stay reachable; the heavier, the more. */
export type Obstacle = Box & { weight: number }
type Size = Pick<Box, 'width' | 'height'>
type Corner = Pick<Box, 'left' | 'top'>

const STEP_PX = 8
// Higher up it would be in the middle of what the person reads.
const HIGHEST_SHARE = 0.6
// Free space around controls.
const GAP_PX = 4

/** As low as possible, at the start, center or end of the area. Where nothing is free, it covers the least. A place that
 * still covers nothing is kept. */
export function placeToast(
  size: Size,
  area: Box,
  obstacles: readonly Obstacle[],
  current?: Corner,
): Corner {
  const costAt = (corner: Corner) => costOf({ ...corner, ...size }, obstacles)
  if (current !== undefined && isInside({ ...current, ...size }, area) && costAt(current) === 0)
    return current
  let best: Corner | undefined
  let least = Number.POSITIVE_INFINITY
  for (const corner of cornersIn(area, size)) {
    const cost = costAt(corner)
    if (cost < least) [best, least] = [corner, cost]
    if (cost === 0) break
  }
  return best ?? { left: area.left, top: area.top + area.height - size.height }
}

function* cornersIn(area: Box, size: Size): Iterable<Corner> {
  const free = Math.max(0, area.width - size.width)
  const lowest = area.top + area.height - size.height
  const highest = Math.max(area.top, lowest - area.height * HIGHEST_SHARE)
  for (let top = lowest; top >= highest; top -= STEP_PX)
    for (const share of [0, 0.5, 1]) yield { left: Math.round(area.left + free * share), top }
}

function costOf(box: Box, obstacles: readonly Obstacle[]): number {
  let cost = 0
  for (const one of obstacles) cost += overlapOf(box, one) * one.weight
  return cost
}

function overlapOf(box: Box, other: Box): number {
  const width =
    Math.min(box.left + box.width, other.left + other.width + GAP_PX) -
    Math.max(box.left, other.left - GAP_PX)
  const height =
    Math.min(box.top + box.height, other.top + other.height + GAP_PX) -
    Math.max(box.top, other.top - GAP_PX)
  return width > 0 && height > 0 ? width * height : 0
}

function isInside(box: Box, area: Box): boolean {
  return (
    box.left >= area.left &&
    box.top >= area.top &&
    box.left + box.width <= area.left + area.width &&
    box.top + box.height <= area.top + area.height
  )
}
