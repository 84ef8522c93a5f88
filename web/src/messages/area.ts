// The texts of an area of the dashboard.
import { createElement, Fragment, type ReactNode } from 'react'
import type { Language } from '../../../src/domain/messages/message.ts'
import { type Texts, textsOf } from '../../../src/domain/messages/texts.ts'
import { countText } from '../../../src/domain/values/number-text.ts'
import { LANGUAGE, VIEWER_LOCALE } from './language.ts'

const WRITING: Language<ReactNode> = {
  formatCount: (count) => countText(VIEWER_LOCALE, count),
  plurals: new Intl.PluralRules(LANGUAGE),
  join: (pieces) => createElement(Fragment, null, ...(pieces as ReactNode[])),
}

/** `catalog` is a module below `en`, or in another language what replaces it. */
export const area = <const Catalog extends object>(catalog: Catalog): Texts<Catalog, ReactNode> =>
  textsOf(catalog, WRITING)
