import { createContext, useContext } from 'react'
import { allows, type Role } from '../../../src/domain/people/role.ts'
import type { Me, OwnOrganization } from '../api/queries.ts'

type ShellState = {
  organization: OwnOrganization
  me: Me
  /** `stay`: at the same address, where a link led to what belongs to another one. */
  change: (organizationId: string, options?: { stay: boolean }) => void
}

export const ShellContext = createContext<ShellState | undefined>(undefined)

export function useShell(): ShellState {
  const state = useContext(ShellContext)
  if (state === undefined) throw new Error('Only screens inside the shell have an organization.')
  return state
}

/** The organization that is open. */
export const useOrganization = (): OwnOrganization => useShell().organization

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
