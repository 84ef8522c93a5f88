import { Link, useNavigate } from '@tanstack/react-router'
import { ExternalLink, Globe, Lock, Megaphone, Plus } from 'lucide-react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import { useShortcuts } from '../../../session/keyboard.ts'
import { useMay } from '../../../session/organization.ts'
import { useRead } from '../../../session/use-api.ts'
import { formatCount, plural } from '../../../time/figures.ts'
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
  useShortcuts(
    may ? [{ keys: 'n', label: 'New status page', group: 'This screen', run: create }] : [],
  )
  return (
    <Page
      title="Status pages"
      about="What your readers see, and what you tell them."
      actions={may && total !== 0 && <Actions />}
    >
      <section className="card" aria-label="Status pages">
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
        Publish an incident
      </ButtonLink>
      <ButtonLink kind="primary" to={PATHS.newStatusPage}>
        <Plus className="icon" aria-hidden="true" />
        New status page <Keys of="N" />
      </ButtonLink>
    </>
  )
}

function NoPages({ may }: { may: boolean }) {
  return (
    <Empty
      title="No status page yet"
      action={
        may && (
          <ButtonLink kind="primary" to={PATHS.newStatusPage}>
            <Plus className="icon" aria-hidden="true" />
            New status page
          </ButtonLink>
        )
      }
    >
      A page of your own tells readers what works, what does not, and what you do about it.
    </Empty>
  )
}

function Table({ list }: { list: ReturnType<typeof useRead<'GET /overview/status-pages'>> }) {
  return (
    <table className="table page-list">
      <thead>
        <tr>
          <th>Name and address</th>
          <th>State</th>
          <th>Shows</th>
          <th>Readers</th>
          <th className="end">Subscribers</th>
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
              <span className="sr">opens in a new tab</span>
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
          {openIncidents > 0 && <span>{plural(openIncidents, 'open incident')}</span>}
        </div>
      </td>
      <td className="cn">{contentsLabel(page)}</td>
      <td className="rd">
        <Readers page={page} />
      </td>
      <td className="num end sb">
        {formatCount(subscribers)}
        <span className="only-phone"> {subscribers === 1 ? 'subscriber' : 'subscribers'}</span>
      </td>
    </tr>
  )
}

const DOMAIN_LABELS = { NONE: '', ACTIVE: '', PENDING: 'not proven yet', FAILED: 'not proven' }

function Readers({ page }: { page: StatusPageView }) {
  const { published, passwordProtected, customDomain, customDomainStatus } = page
  const word = DOMAIN_LABELS[customDomainStatus]
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
        {!published ? 'Not published' : passwordProtected ? 'With the password' : 'Everybody'}
      </span>
      {customDomain !== null && word !== '' && (
        <span className="truncate" title={`${customDomain}: ${word}`}>
          {customDomain}: {word}
        </span>
      )}
    </div>
  )
}
