import { Link } from '@tanstack/react-router'
import { ChevronLeft, ChevronRight } from 'lucide-react'
import type { ReactNode } from 'react'
import { controlsText } from '../messages/controls.ts'
import type { Address } from './address.ts'
import { useOnlineOnly } from './online-only.ts'
import './pages.css'

type Pagination = { limit: number; offset: number; total: number; children?: ReactNode }

/** Pagination of a list; hidden if the list is empty. The page is `?page=` in the URL, counted from 1. */
export function Pages({ limit, offset, total, children }: Pagination) {
  const onlineOnly = useOnlineOnly()
  if (total === 0) return null
  const current = Math.floor(offset / limit) + 1
  const last = Math.ceil(total / limit)
  return (
    <nav className="pages" aria-label={controlsText.pages} {...onlineOnly}>
      <span className="num">
        {controlsText.range({
          from: offset + 1,
          to: Math.min(offset + limit, total),
          total,
        })}
      </span>
      {children}
      {last > 1 && (
        <ol>
          <Step page={current - 1} last={last} label={controlsText.previous}>
            <ChevronLeft className="icon dir" aria-hidden="true" />
          </Step>
          {pagesShown(current, last).map((page, index) =>
            page === undefined ? (
              <li key={index === 1 ? 'before' : 'after'} className="gap" aria-hidden="true">
                …
              </li>
            ) : (
              <li key={page}>
                <PageLink page={page} current={page === current}>
                  {page}
                </PageLink>
              </li>
            ),
          )}
          <Step page={current + 1} last={last} label={controlsText.next}>
            <ChevronRight className="icon dir" aria-hidden="true" />
          </Step>
        </ol>
      )}
    </nav>
  )
}

/** The first, the last and those around the current one; undefined is a gap. */
function pagesShown(current: number, last: number): (number | undefined)[] {
  const wanted = [1, current - 1, current, current + 1, last]
  const shown = [...new Set(wanted)].filter((page) => page >= 1 && page <= last)
  return shown.flatMap((page, index) => {
    const before = shown[index - 1]
    if (before === undefined || page === before + 1) return [page]
    return page === before + 2 ? [page - 1, page] : [undefined, page]
  })
}

function Step({ page, last, label, children }: StepProps) {
  const there = page >= 1 && page <= last
  return (
    <li>
      {there ? (
        <PageLink page={page} label={label}>
          {children}
        </PageLink>
      ) : (
        <span aria-disabled="true">
          {children}
          <span className="sr">{label}</span>
        </span>
      )}
    </li>
  )
}

type StepProps = { page: number; last: number; label: string; children: ReactNode }
type PageLinkProps = { page: number; current?: boolean; label?: string; children: ReactNode }

function PageLink({ page, current = false, label, children }: PageLinkProps) {
  const search = (before: Address): Address => ({
    ...before,
    page: page === 1 ? undefined : String(page),
  })
  return (
    <Link
      to="."
      search={search}
      activeProps={{ 'aria-current': undefined }}
      {...(current && { 'aria-current': 'page' as const })}
      {...(label !== undefined && { 'aria-label': label })}
    >
      {children}
    </Link>
  )
}
