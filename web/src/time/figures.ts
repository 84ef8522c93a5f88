// Formats numbers for people, in the viewer's locale: the unit after a space.
import { countText, shareText } from '../../../src/domain/values/number-text.ts'
import { VIEWER_LOCALE } from '../messages/language.ts'

const NO_BREAK = '\u00a0'

export const formatCount = (count: number): string => countText(VIEWER_LOCALE, count)

export const formatMs = (ms: number): string =>
  ms < 10_000
    ? `${formatCount(Math.round(ms))}${NO_BREAK}ms`
    : `${(ms / 1000).toFixed(1)}${NO_BREAK}s`

/** A ratio, truncated instead of rounded: `100%` only if nothing was lost. */
export const formatShare = (ratio: number, decimals: number): string =>
  shareText(VIEWER_LOCALE, ratio, decimals)

export const formatUptime = (ratio: number | null | undefined): string =>
  ratio === null || ratio === undefined ? '–' : formatShare(ratio, 2)

export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${formatCount(count)} ${count === 1 ? one : many}`
