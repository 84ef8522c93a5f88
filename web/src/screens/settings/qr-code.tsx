import { toQr } from './qr.ts'
import './settings.css'

const QUIET = 4

/** Dark on white in every theme, because not all scanners read inverted codes. */
export function QrCode({ text, label }: { text: string; label: string }) {
  const rows = toQr(text)
  const edge = rows.length + 2 * QUIET
  const path = rows
    .flatMap((row, y) => row.map((dark, x) => (dark ? `M${x + QUIET} ${y + QUIET}h1v1h-1z` : '')))
    .join('')
  return (
    <svg
      className="qr"
      viewBox={`0 0 ${edge} ${edge}`}
      role="img"
      aria-label={label}
      shapeRendering="crispEdges"
    >
      <path d={path} fill="#000" />
    </svg>
  )
}
