import { Link, useNavigate } from '@tanstack/react-router'
import { ExternalLink, Eye, Megaphone } from 'lucide-react'
import { useState } from 'react'
import { useWrite } from '../../api/use-api.ts'
import { useShortcuts } from '../../shell/keyboard.ts'
import { formatCount, plural } from '../../time/figures.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Confirm } from '../../ui/dialog.tsx'
import { StateBadge } from '../../ui/state.tsx'
import { Time } from '../../ui/time.tsx'
import { toast } from '../../ui/toasts.tsx'
import { contentsLabel, plainAddress, type StatusPageView } from './page.ts'
import './status-pages.css'

type HeadProps = {
  page: StatusPageView | undefined
  count: number
  busy: boolean
  onSave: () => void
  onDiscard: () => void
}

export function EditorHead({ page }: { page: StatusPageView | undefined }) {
  return (
    <div className="page-head editor-head">
      {page === undefined ? (
        <div>
          <h1>New status page</h1>
          <p>Nobody sees it before you create it.</p>
        </div>
      ) : (
        <PageTitle page={page} />
      )}
    </div>
  )
}

export function SaveBar({ page, count, busy, onSave, onDiscard }: HeadProps) {
  const isIdle = page !== undefined && count === 0
  useShortcuts(
    isIdle ? [] : [{ keys: 's', label: 'Save the page', group: 'This screen', run: onSave }],
  )
  return (
    <div className={isIdle ? 'editor-save idle' : 'editor-save'}>
      {count > 0 && page !== undefined && (
        <>
          <span className="unsaved" role="status">
            {plural(count, 'change')} not saved
          </span>
          <Button kind="ghost" onClick={onDiscard}>
            Discard
          </Button>
        </>
      )}
      <Button
        kind="primary"
        busy={busy}
        whyNot={isIdle ? 'Nothing was changed.' : undefined}
        onClick={onSave}
      >
        {page === undefined ? 'Create status page' : 'Save changes'}
      </Button>
    </div>
  )
}

export function PageTitle({ page }: { page: StatusPageView }) {
  const { name, url, published, passwordProtected, updatedAt } = page
  return (
    <div>
      <div className="row title-row">
        <h1 className="wrap-any">
          <bdi>{name}</bdi>
        </h1>
        {published ? (
          <StateBadge state="UP" word={passwordProtected ? 'With the password' : 'Public'} />
        ) : (
          <StateBadge state="UNKNOWN" word="Not published" />
        )}
      </div>
      <p className="page-dots">
        <span>
          {published ? (
            <a className="link wrap-any" href={url} target="_blank" rel="noopener">
              {plainAddress(url)}
              <ExternalLink className="icon sm" aria-hidden="true" />
              <span className="sr">opens in a new tab</span>
            </a>
          ) : (
            plainAddress(url)
          )}
        </span>
        <span>{contentsLabel(page)}</span>
        <span>
          Changed <Time at={updatedAt} />
        </span>
      </p>
    </div>
  )
}

type TabsProps = { page: StatusPageView; current: 'EDITOR' | 'INCIDENTS' | 'SUBSCRIBERS' }

export function PageTabs({ page, current }: TabsProps) {
  const { id, openIncidents, subscribers } = page
  const here = (place: TabsProps['current']) => ({
    activeOptions: { exact: true },
    ...(place === current && { 'aria-current': 'page' as const }),
  })
  return (
    <div className="page-tabs">
      <nav className="tabs" aria-label="Parts of the page">
        <Link to="/status-pages/$statusPageId" params={{ statusPageId: id }} {...here('EDITOR')}>
          Page
        </Link>
        <Link
          to="/status-pages/$statusPageId/incidents"
          params={{ statusPageId: id }}
          {...here('INCIDENTS')}
        >
          Incidents and maintenance
          {openIncidents > 0 && <span className="count">{openIncidents} open</span>}
        </Link>
        <Link
          to="/status-pages/$statusPageId/subscribers"
          params={{ statusPageId: id }}
          {...here('SUBSCRIBERS')}
        >
          Subscribers
          {subscribers > 0 && <span className="count">{formatCount(subscribers)}</span>}
        </Link>
      </nav>
    </div>
  )
}

export function PublishLink({ statusPageId }: { statusPageId: string }) {
  return (
    <ButtonLink to="/status-pages/incidents/new" search={{ page: statusPageId }} kind="primary">
      <Megaphone className="icon" aria-hidden="true" />
      Publish an incident
    </ButtonLink>
  )
}

export function DeletePage({ page }: { page: StatusPageView }) {
  const [asks, setAsks] = useState(false)
  const navigate = useNavigate()
  const remove = useWrite('DELETE /status-pages/{statusPageId}', {
    onDone: () => {
      toast(`${page.name} is deleted.`)
      void navigate({ to: '/status-pages', ignoreBlocker: true })
    },
  })
  const told = plural(page.subscribers, 'subscriber')
  return (
    <section className="card danger-card" aria-labelledby="h-delete">
      <div className="card-body row between wrap">
        <div>
          <h2 id="h-delete">Delete this page</h2>
          <p className="muted small">Its address answers 404 from then on. Monitors stay.</p>
        </div>
        <Button kind="danger" onClick={() => setAsks(true)}>
          Delete…
        </Button>
      </div>
      <Confirm
        open={asks}
        onClose={() => setAsks(false)}
        title={`Delete ${page.name}`}
        about={`Removes the page with its ${told}, and published incidents that stand on this page alone. Monitors and their history stay.`}
        action="Delete status page"
        busy={remove.isPending}
        run={() => remove.mutate({ params: { statusPageId: page.id } })}
      />
    </section>
  )
}

/** Shown where the preview is below the fields and would be hard to find. */
export function PreviewJump() {
  return (
    <a className="btn preview-jump" href="#preview">
      <Eye className="icon" aria-hidden="true" />
      See the preview
    </a>
  )
}
