import { Mark } from './state.tsx'

/** The problem of a group of choices, below them and announced at once, since no single choice is wrong. */
export function GroupProblem({ of }: { of: string | undefined }) {
  if (of === undefined) return null
  return (
    <p className="error is-down" role="alert">
      <Mark state="DOWN" />
      {of}
    </p>
  )
}
