// The title, tabs and actions above each part of one status page.
import { Link } from '@tanstack/react-router'
import { ExternalLink, Megaphone } from 'lucide-react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { statusPagesText as TEXT } from '../../messages/publishing/status-pages.ts'
import { useMay } from '../../session/organization.ts'
import { ManagedById, ManagedNotice } from '../../shared/managed-by.tsx'
import { formatCount } from '../../time/figures.ts'
import { ButtonLink } from '../../ui/button.tsx'
import { StateBadge } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { contentsLabel, plainAddress, type StatusPageView } from './page.ts'
import './page-head.css'
import './published-list.css'

export function PageTitle({ page }: { page: StatusPageView }) {
  const { name, url, published, passwordProtected, updatedAt } = page
  return (
    <div>
      <div className="row title-row">
        <h1 className="wrap-any">
          <bdi>{name}</bdi>
        </h1>
        {published ? (
          <StateBadge state="UP" word={passwordProtected ? TEXT.withPassword : TEXT.public} />
        ) : (
          <StateBadge state="UNKNOWN" word={TEXT.notPublished} />
        )}
      </div>
      <p className="page-dots">
        <span>
          {published ? (
            <a className="link wrap-any" href={url} target="_blank" rel="noopener">
              {plainAddress(url)}
              <ExternalLink className="icon sm" aria-hidden="true" />
              <span className="sr">{TEXT.newTab}</span>
            </a>
          ) : (
            plainAddress(url)
          )}
        </span>
        <span>{contentsLabel(page)}</span>
        <span>
          {TEXT.updated} <Time at={updatedAt} />
        </span>
        <ManagedById id={page.id} />
      </p>
    </div>
  )
}

type TabsProps = { page: StatusPageView; current: 'EDITOR' | 'INCIDENTS' | 'SUBSCRIBERS' }

export function PageTabs({ page, current }: TabsProps) {
  const { id, openIncidents, subscribers } = page
  const may = useMay('MEMBER')
  const here = (place: TabsProps['current']) => ({
    activeOptions: { exact: true },
    ...(place === current && { 'aria-current': 'page' as const }),
  })
  return (
    <>
      <div className="page-tabs">
        <nav className="tabs" aria-label={TEXT.tabs.label}>
          <Link to={PATHS.statusPage} params={{ statusPageId: id }} {...here('EDITOR')}>
            {TEXT.tabs.page}
          </Link>
          <Link to={PATHS.statusPageIncidents} params={{ statusPageId: id }} {...here('INCIDENTS')}>
            {TEXT.tabs.incidents}
            {openIncidents > 0 && (
              <span className="count">{TEXT.tabs.open({ count: openIncidents })}</span>
            )}
          </Link>
          <Link
            to={PATHS.statusPageSubscribers}
            params={{ statusPageId: id }}
            {...here('SUBSCRIBERS')}
          >
            {TEXT.tabs.subscribers}
            {subscribers > 0 && <span className="count">{formatCount(subscribers)}</span>}
          </Link>
        </nav>
      </div>
      {current === 'EDITOR' && may && <ManagedNotice id={id} />}
    </>
  )
}

export function PublishLink({ statusPageId }: { statusPageId: string }) {
  return (
    <ButtonLink to={PATHS.newStatusIncident} search={{ page: statusPageId }} kind="primary">
      <Megaphone className="icon" aria-hidden="true" />
      {TEXT.publish}
    </ButtonLink>
  )
}
