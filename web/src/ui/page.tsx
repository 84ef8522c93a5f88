// The header of a screen: title, one line below it, actions at the end, and breadcrumbs in the top bar.
import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import { type ReactNode, use, useEffect } from 'react'
import { createPortal } from 'react-dom'
import { PATHS } from '../../../src/domain/values/dashboard-paths.ts'
import { CrumbsContext } from '../session/crumbs.ts'
import { useOrganization } from '../session/organization.ts'
import { useOnlineOnly } from './online-only.ts'
import './page.css'

type Crumb = { label: string; to: string }

type PageProps = {
  title: string
  /** Replaces the plain heading. */
  head?: ReactNode
  about?: ReactNode
  actions?: ReactNode
  /** The parent pages. */
  crumbs?: readonly Crumb[]
  /** For forms and text: at most 992 px wide. */
  narrow?: boolean
  children: ReactNode
}

export function Page({ title, head, about, actions, crumbs = [], narrow, children }: PageProps) {
  const { name } = useOrganization()
  const onlineOnly = useOnlineOnly()
  useTitle(`${title} – ${name}`)
  return (
    <main id="main" className={narrow ? 'content narrow' : 'content'} tabIndex={-1}>
      <Crumbs crumbs={crumbs} title={title} />
      {head ?? (
        <div className="page-head">
          <div>
            <h1>{title}</h1>
            {about !== undefined && <p>{about}</p>}
          </div>
          {actions !== undefined && (
            <div className="actions" {...onlineOnly}>
              {actions}
            </div>
          )}
        </div>
      )}
      {children}
    </main>
  )
}

export function useTitle(title: string): void {
  useEffect(() => {
    document.title = `${title} – Upvane`
  }, [title])
}

function Crumbs({ crumbs, title }: { crumbs: readonly Crumb[]; title: string }) {
  const target = use(CrumbsContext)
  const { name } = useOrganization()
  if (target === null) return null
  const above = crumbs.at(-1)
  return createPortal(
    <>
      {above && (
        <Link
          className="crumb-back only-phone"
          to={above.to}
          activeProps={{ 'aria-current': undefined }}
        >
          <ChevronLeft className="icon sm dir" aria-hidden="true" />
          <span className="truncate" title={above.label}>
            {above.label}
          </span>
        </Link>
      )}
      {[{ label: name, to: PATHS.monitors }, ...crumbs].map(({ label, to }) => (
        <span key={to + label} className="row wide-only">
          <Link
            className="truncate"
            title={label}
            to={to}
            activeProps={{ 'aria-current': undefined }}
          >
            {label}
          </Link>
          <ChevronRight className="icon sm dir" aria-hidden="true" />
        </span>
      ))}
      <span aria-current="page" className="truncate wide-only" title={title}>
        {title}
      </span>
    </>,
    target,
  )
}
