import { createContext, useContext } from 'react'
import { allows, type Role } from '../../../src/domain/people/role.ts'
import type { Me, OwnOrganization } from '../api/queries.ts'

type ShellState = {
  organization: OwnOrganization
  me: Me
  /** `stay` keeps the URL, when a link led to something in another organization. */
  change: (organizationId: string, options?: { stay: boolean }) => void
}

export const ShellContext = createContext<ShellState | undefined>(undefined)

export function useShell(): ShellState {
  const state = useContext(ShellContext)
  if (state === undefined) throw new Error('Only screens inside the shell have an organization.')
  return state
}

/** The current organization. */
export const useOrganization = (): OwnOrganization => useShell().organization

/** Whether the person's role allows it. Forbidden actions are hidden or explain why. */
export const useMay = (needed: Role): boolean => allows(useOrganization().role, needed)

/** Whether nothing of it works for the person: it is being deleted, or requires a second factor. */
export const isClosed = ({ eraseAt, needsSecondFactor }: OwnOrganization): boolean =>
  eraseAt !== null || needsSecondFactor

const KEY = 'organization'

/** This tab's choice, else the last choice in any tab, else the first organization. `public/early.js` reads it too. */
export function chosenOf(organizations: readonly OwnOrganization[]): OwnOrganization | undefined {
  const kept = sessionStorage.getItem(KEY) ?? localStorage.getItem(KEY)
  return organizations.find(({ id }) => id === kept) ?? firstOf(organizations)
}

/** Stored like a choice, so that next time its rows can be requested before anything else. */
function firstOf([first]: readonly OwnOrganization[]): OwnOrganization | undefined {
  sessionStorage.removeItem(KEY)
  if (first !== undefined) localStorage.setItem(KEY, first.id)
  return first
}

export function keepChoice(organizationId: string): void {
  sessionStorage.setItem(KEY, organizationId)
  localStorage.setItem(KEY, organizationId)
}
