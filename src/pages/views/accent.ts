// A page's own link color, moved towards black or white until it is readable on every background.

type Rgb = readonly [number, number, number]

const LEAST_CONTRAST = 4.5
const STEPS = 50
// Canvas and surface, as in colours.css.
const GROUNDS = {
  light: ['#f8f9fa', '#ffffff'].map(parse),
  dark: ['#0b0f14', '#10151c'].map(parse),
}

/** `#rrggbb` for light and for dark backgrounds. */
export function readableAccent(color: string): { light: string; dark: string } {
  const wanted = parse(color)
  return {
    light: toHex(moved(wanted, [0, 0, 0], GROUNDS.light)),
    dark: toHex(moved(wanted, [255, 255, 255], GROUNDS.dark)),
  }
}

function moved(from: Rgb, to: Rgb, grounds: readonly Rgb[]): Rgb {
  for (let step = 0; step < STEPS; step++) {
    const color = mix(from, to, step / STEPS)
    if (grounds.every((ground) => contrast(color, ground) >= LEAST_CONTRAST)) return color
  }
  return to
}

function mix(from: Rgb, to: Rgb, share: number): Rgb {
  const at = (channel: 0 | 1 | 2) =>
    Math.round(from[channel] + (to[channel] - from[channel]) * share)
  return [at(0), at(1), at(2)]
}

/** WCAG 2: 1 to 21. */
export function contrast(a: Rgb, b: Rgb): number {
  const [lighter = 0, darker = 0] = [luminance(a), luminance(b)].toSorted((x, y) => y - x)
  return (lighter + 0.05) / (darker + 0.05)
}

function luminance(color: Rgb): number {
  const [red = 0, green = 0, blue = 0] = color.map((value) => {
    const share = value / 255
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4
  })
  return 0.2126 * red + 0.7152 * green + 0.0722 * blue
}

export function parse(color: string): Rgb {
  const value = Number.parseInt(color.slice(1), 16)
  return [value >> 16, (value >> 8) & 255, value & 255]
}

function toHex([red, green, blue]: Rgb): string {
  return `#${((red << 16) | (green << 8) | blue).toString(16).padStart(6, '0')}`
}
