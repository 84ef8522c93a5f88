// A tab of one status page next to the editor: header, tabs, and the tab's content.
import { useParams } from '@tanstack/react-router'
import type { ReactNode } from 'react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { isProblem } from '../../api/problem.ts'
import { statusPagesText } from '../../messages/publishing/status-pages.ts'
import { useRead } from '../../session/use-api.ts'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { ItemNotFound } from '../../ui/not-found.tsx'
import { Page } from '../../ui/page.tsx'
import { CRUMBS, type StatusPageView } from './page.ts'
import { PageTabs, PageTitle } from './page-head.tsx'
import './page-head.css'

type PageTabProps = {
  current: 'INCIDENTS' | 'SUBSCRIBERS'
  actions?: (page: StatusPageView) => ReactNode
  children: (page: StatusPageView) => ReactNode
}

export function PageTab({ current, actions, children }: PageTabProps) {
  const { statusPageId = '' } = useParams({ strict: false })
  const read = useRead('GET /overview/status-pages/{statusPageId}', { params: { statusPageId } })
  if (isProblem(read.error, 'not_found'))
    return <ItemNotFound what="statusPage" back={PATHS.statusPages} />
  const page = read.data
  return (
    <Page
      title={page?.name ?? statusPagesText.one}
      crumbs={CRUMBS}
      head={
        page && (
          <div className="page-head editor-head">
            <PageTitle page={page} />
            {actions?.(page)}
          </div>
        )
      }
    >
      <Loaded query={read} loading={<Skeleton width="40%" />}>
        {(loaded) => (
          <>
            <PageTabs page={loaded} current={current} />
            {children(loaded)}
          </>
        )}
      </Loaded>
    </Page>
  )
}
