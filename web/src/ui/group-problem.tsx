import { Mark } from './state.tsx'

/** What is wrong with a group of choices, below them and spoken at once: none of them is the wrong one. */
export function GroupProblem({ of }: { of: string | undefined }) {
  if (of === undefined) return null
  return (
    <p className="error is-down" role="alert">
      <Mark state="DOWN" />
      {of}
    </p>
  )
}
