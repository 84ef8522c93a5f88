import { createContext } from 'react'

/** The element in the top bar where a screen renders its breadcrumbs. */
export const CrumbsContext = createContext<HTMLElement | null>(null)
