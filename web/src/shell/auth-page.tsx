import type { ReactNode } from 'react'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { useTitle } from '../ui/page.tsx'
import { Wordmark } from './logo.tsx'
import './auth-page.css'
import './logo.css'

type AuthPageProps = { title: string; about?: ReactNode; children: ReactNode }

/** A page before sign-in: one narrow box with one task. */
export function AuthPage({ title, about, children }: AuthPageProps) {
  useTitle(title)
  return (
    <div className="gate">
      <header className="row between gate-head">
        <a className="wordmark bare" href={PATHS.home} aria-label="Upvane">
          <Wordmark />
        </a>
      </header>
      <main className="gate-box" tabIndex={-1}>
        <div>
          <h1>{title}</h1>
          {about !== undefined && <p className="muted gate-about">{about}</p>}
        </div>
        {children}
      </main>
    </div>
  )
}
