import { Link, type LinkProps } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import './bars.css'

// One visual language: days, hours, monitors and checks use the same shapes.
export type BarCell = 'UP' | 'DEGRADED' | 'EXPIRING' | 'DOWN' | 'MAINTENANCE' | 'NONE' | 'ABSENT'

type Grid = { width: number; gap: number; height: number }

const UPTIME_BAR: Grid = { width: 4, gap: 2, height: 20 }

/** One path per shape for all its cells, which keeps the markup small. */
function drawCells(cells: readonly BarCell[], { width, gap, height }: Grid) {
  const paths = { up: '', degraded: '', expiring: '', track: '', down: '', maint: '', none: '' }
  const box = (x: number, y: number, h: number) => `M${x} ${y}h${width}v${h}h-${width}z`
  const half = Math.round(height / 2)
  const low = Math.round(height * 0.8)
  const top = Math.round(height * 0.15)
  cells.forEach((cell, index) => {
    const x = index * (width + gap)
    if (cell === 'UP') paths.up += box(x, 0, height)
    if (cell === 'MAINTENANCE') paths.maint += box(x, 0, height)
    if (cell === 'DOWN') paths.down += box(x, 0, top) + box(x, 2 * top, height - 2 * top)
    if (cell === 'DEGRADED') {
      paths.track += box(x, 0, half - 2)
      paths.degraded += box(x, half, height - half)
    }
    if (cell === 'EXPIRING') {
      paths.track += box(x, 0, low - 2)
      paths.expiring += box(x, low, height - low)
    }
    if (cell === 'NONE') paths.none += `M${x + 0.5} .5h${width - 1}v${height - 1}h-${width - 1}z`
  })
  return paths
}

type BarsProps = {
  cells: readonly BarCell[]
  label: string
  grid?: Grid
  /** What hovering over each cell shows. */
  titles?: readonly string[]
  /** Where cells lead; undefined for those that lead nowhere. */
  links?: readonly (LinkProps | undefined)[]
}

/** The last hours or days, oldest on the left. The label describes them in words. */
export function Bars({ cells, label, grid = UPTIME_BAR, titles = [], links = [] }: BarsProps) {
  const paths = drawCells(cells, grid)
  const width = cells.length * (grid.width + grid.gap) - grid.gap
  return (
    <svg
      viewBox={`0 0 ${width} ${grid.height}`}
      preserveAspectRatio="none"
      role={links.some((link) => link !== undefined) ? 'group' : 'img'}
      aria-label={label}
    >
      {Object.entries(paths).map(([shape, path]) =>
        path === '' ? null : <path key={shape} className={`b-${shape}`} d={path} />,
      )}
      {titles.map((title, index) => (
        <Cell key={title} title={title} link={links[index]}>
          <rect
            x={index * (grid.width + grid.gap)}
            width={grid.width + grid.gap}
            height={grid.height}
            fill="transparent"
          >
            <title>{title}</title>
          </rect>
        </Cell>
      ))}
    </svg>
  )
}

type CellProps = { title: string; link: LinkProps | undefined; children: ReactNode }

const Cell = ({ title, link, children }: CellProps) =>
  link === undefined ? (
    children
  ) : (
    <Link {...link} aria-label={title}>
      {children}
    </Link>
  )
