import { Mark } from '../../../ui/state.tsx'
import './tree.css'

/** The server's problem with a row of the tree, shown below it. */
export function NodeProblem({ text }: { text: string }) {
  return (
    <p className="error is-down node-problem" role="alert">
      <Mark state="DOWN" />
      {text}
    </p>
  )
}
