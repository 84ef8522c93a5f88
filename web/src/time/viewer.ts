// Where the viewer is and how they write dates and numbers, by their browser.
import { currentZoneName } from './zone-names.ts'

export const VIEWER_ZONE = currentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone)

/** The dashboard is in English, so other languages get American dates rather than their own between English words. */
const localeOf = (language: string | undefined): string =>
  language?.startsWith('en') ? language : 'en-US'

export const VIEWER_LOCALE = localeOf(globalThis.navigator?.language)
