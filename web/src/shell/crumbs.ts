import { createContext } from 'react'

/** Where a screen draws the way back: an element in the top bar. */
export const CrumbsContext = createContext<HTMLElement | null>(null)
