import type { ReactNode } from 'react'
import { initialsOf } from './initials.ts'
import './avatar.css'
import './person.css'

/** A person, with one line below the name. */
export function Person({ name, below }: { name: ReactNode & string; below?: ReactNode }) {
  return (
    <span className="who">
      <span className="avatar round" aria-hidden="true">
        {initialsOf(name)}
      </span>
      <span className="two">
        <span className="truncate" title={name}>
          <bdi>{name}</bdi>
        </span>
        {below !== undefined && <span className="truncate">{below}</span>}
      </span>
    </span>
  )
}
