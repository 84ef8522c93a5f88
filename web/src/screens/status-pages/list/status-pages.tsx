import { Link, useNavigate } from '@tanstack/react-router'
import { ExternalLink, Globe, Lock, Megaphone, Plus } from 'lucide-react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { statusPagesText as TEXT } from '../../../messages/publishing/status-pages.ts'
import { useShortcuts } from '../../../session/keyboard.ts'
import { useMay } from '../../../session/organization.ts'
import { useRead } from '../../../session/use-api.ts'
import { formatCount } from '../../../time/figures.ts'
import { useAddress } from '../../../ui/address.ts'
import { ButtonLink, Keys } from '../../../ui/button.tsx'
import { useListKeys } from '../../../ui/list-keys.ts'
import { Empty, Loaded, SkeletonRows } from '../../../ui/loading.tsx'
import { Page } from '../../../ui/page.tsx'
import { Pages } from '../../../ui/pages.tsx'
import { Mark, StateLabel } from '../../../ui/state.tsx'
import { contentsLabel, plainAddress, type StatusPageView } from '../page.ts'
import { PublishedIncidents } from '../published-list.tsx'
import './status-pages.css'

const PAGE_SIZE = 25
const ADDRESS = { page: '1' }

export function StatusPages() {
  const may = useMay('MEMBER')
  const navigate = useNavigate()
  const [{ page }] = useAddress(ADDRESS)
  const offset = (Math.max(1, Number(page) || 1) - 1) * PAGE_SIZE
  const list = useRead('GET /overview/status-pages', { query: { limit: PAGE_SIZE, offset } })
  const { total = 1 } = list.data?.pagination ?? {}
  useListKeys({ pages: Math.ceil(total / PAGE_SIZE) })
  const create = () => void navigate({ to: PATHS.newStatusPage })
  useShortcuts(may ? [{ keys: 'n', label: TEXT.create, group: 'This screen', run: create }] : [])
  return (
    <Page title={TEXT.title} about={TEXT.about} actions={may && total !== 0 && <Actions />}>
      <section className="card" aria-label={TEXT.title}>
        {total === 0 ? <NoPages may={may} /> : <Table list={list} />}
      </section>
      {list.data && total > PAGE_SIZE && <Pages {...list.data.pagination} />}
      {total > 0 && <PublishedIncidents />}
    </Page>
  )
}

function Actions() {
  return (
    <>
      <ButtonLink to={PATHS.newStatusIncident}>
        <Megaphone className="icon" aria-hidden="true" />
        {TEXT.publish}
      </ButtonLink>
      <ButtonLink kind="primary" to={PATHS.newStatusPage}>
        <Plus className="icon" aria-hidden="true" />
        {TEXT.create} <Keys of="N" />
      </ButtonLink>
    </>
  )
}

function NoPages({ may }: { may: boolean }) {
  return (
    <Empty
      title={TEXT.emptyTitle}
      action={
        may && (
          <ButtonLink kind="primary" to={PATHS.newStatusPage}>
            <Plus className="icon" aria-hidden="true" />
            {TEXT.create}
          </ButtonLink>
        )
      }
    >
      {TEXT.emptyAbout}
    </Empty>
  )
}

function Table({ list }: { list: ReturnType<typeof useRead<'GET /overview/status-pages'>> }) {
  return (
    <table className="table page-list">
      <thead>
        <tr>
          <th>{TEXT.nameAndUrl}</th>
          <th>{TEXT.state}</th>
          <th>{TEXT.content}</th>
          <th>{TEXT.access}</th>
          <th className="end">{TEXT.subscribers}</th>
        </tr>
      </thead>
      <tbody>
        <Loaded
          query={list}
          loading={<SkeletonRows rows={3} widths={['60%', '60%', '60%', '60%', '30%']} />}
        >
          {({ data }) => data.map((page) => <Row key={page.id} page={page} />)}
        </Loaded>
      </tbody>
    </table>
  )
}

function Row({ page }: { page: StatusPageView }) {
  const { id, name, url, published, state, openIncidents, subscribers } = page
  return (
    <tr data-row={id}>
      <td className="name">
        <div className="two">
          <Link
            className="truncate"
            to={PATHS.statusPage}
            params={{ statusPageId: id }}
            title={name}
          >
            <bdi>{name}</bdi>
          </Link>
          {published ? (
            <a className="truncate" title={url} href={url} target="_blank" rel="noopener">
              {plainAddress(url)}
              <ExternalLink className="icon sm" aria-hidden="true" />
              <span className="sr">{TEXT.newTab}</span>
            </a>
          ) : (
            <span className="truncate" title={url}>
              {plainAddress(url)}
            </span>
          )}
        </div>
      </td>
      <td className="st">
        <div className="two">
          <StateLabel state={state} />
          {openIncidents > 0 && <span>{TEXT.openIncidents({ count: openIncidents })}</span>}
        </div>
      </td>
      <td className="cn">{contentsLabel(page)}</td>
      <td className="rd">
        <Access page={page} />
      </td>
      <td className="num end sb">
        {formatCount(subscribers)}
        <span className="only-phone"> {TEXT.subscriberWord({ count: subscribers })}</span>
      </td>
    </tr>
  )
}

function Access({ page }: { page: StatusPageView }) {
  const { published, passwordProtected, customDomain, customDomainStatus } = page
  const word = TEXT.domain[customDomainStatus]
  return (
    <div className="two">
      <span className="row who">
        {!published ? (
          <Mark state="UNKNOWN" />
        ) : passwordProtected ? (
          <Lock className="icon" aria-hidden="true" />
        ) : (
          <Globe className="icon" aria-hidden="true" />
        )}
        {!published ? TEXT.notPublished : passwordProtected ? TEXT.withPassword : TEXT.public}
      </span>
      {customDomain !== null && word !== '' && (
        <span className="truncate" title={`${customDomain}: ${word}`}>
          {customDomain}: {word}
        </span>
      )}
    </div>
  )
}
