import { createContext, useContext } from 'react'
import { allows, type Role } from '../../../src/domain/people/role.ts'
import type { Me, OwnOrganization } from '../api/queries.ts'

type Here = {
  organization: OwnOrganization
  me: Me
  /** `stay`: at the same address, where a link led to what belongs to another one. */
  change: (organizationId: string, options?: { stay: boolean }) => void
}

export const HereContext = createContext<Here | undefined>(undefined)

export function useHere(): Here {
  const here = useContext(HereContext)
  if (here === undefined) throw new Error('Only screens inside the shell have an organization.')
  return here
}

/** The organization that is open. */
export const useOrganization = (): OwnOrganization => useHere().organization

/** Whether the person's role allows it: what they may not do is not offered, or says why. */
export const useMay = (needed: Role): boolean => allows(useOrganization().role, needed)

const KEY = 'organization'

/** This tab's choice, else the last one made anywhere, else the first there is. `public/early.js` reads it too. */
export function chosenOf(organizations: readonly OwnOrganization[]): OwnOrganization | undefined {
  const kept = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)
  return organizations.find(({ id }) => id === kept) ?? firstOf(organizations)
}

/** Kept like a choice, so that its rows can be asked for before anything else the next time. */
function firstOf([first]: readonly OwnOrganization[]): OwnOrganization | undefined {
  sessionStorage.removeItem(KEY)
  if (first !== undefined) localStorage.setItem(KEY, first.id)
  return first
}

export function keepChoice(organizationId: string): void {
  sessionStorage.setItem(KEY, organizationId)
  localStorage.setItem(KEY, organizationId)
}
