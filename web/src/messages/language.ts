// The language of the dashboard. Each language is a build of its own, in which the catalogs of `en` and this file are
// replaced: `catalogs` in web/vite.config.ts.
export const LANGUAGE: string = 'en'

/** How dates and numbers are written: in the language of the text around them, and in English as where the viewer is. */
const writtenAs = (viewer: string | undefined): string => {
  if (LANGUAGE !== 'en') return LANGUAGE
  return viewer?.startsWith('en') ? viewer : 'en-US'
}

export const VIEWER_LOCALE = writtenAs(globalThis.navigator?.language)
