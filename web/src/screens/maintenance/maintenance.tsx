import { Link, useNavigate } from '@tanstack/react-router'
import { Clock, Plus, Repeat } from 'lucide-react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import {
  bySoonest,
  recurrenceLabel,
  spanLabel,
  spanOf,
  type WindowView,
} from '../../shared/maintenance-window.ts'
import { useNow } from '../../time/use-now.ts'
import { type Address, useAddress } from '../../ui/address.ts'
import { ButtonLink, Keys } from '../../ui/button.tsx'
import { Empty, Loaded, SkeletonRows, Wait } from '../../ui/loading.tsx'
import { Page } from '../../ui/page.tsx'
import { Pages } from '../../ui/pages.tsx'
import { Segment } from '../../ui/segment.tsx'
import { StateLabel } from '../../ui/state.tsx'
import { ActiveWindow } from './active-window.tsx'
import { Calendar } from './calendar.tsx'
import { useWindowActions } from './use-window-actions.tsx'
import { WindowAside } from './window-aside.tsx'
import './calendar.css'
import './maintenance.css'
import './window-aside.css'

const PAGE_SIZE = 50
const ADDRESS = { show: 'coming', page: '1', window: '' }
const EVERY_MS = 30_000
const SHOW = [
  { value: 'coming', label: 'Coming' },
  { value: 'completed', label: 'Completed' },
]

export function Maintenance() {
  const may = useMay('MEMBER')
  const navigate = useNavigate()
  const [address] = useAddress(ADDRESS)
  const active = useRead(
    'GET /maintenance-windows',
    { query: { status: ['ACTIVE'], limit: 10 } },
    { refetchInterval: EVERY_MS },
  )
  const list = useWindows(address)
  const { actions, dialogs } = useWindowActions()
  const own = may ? actions : undefined
  const shown = inOrder(list.data?.data ?? [], address.show)
  const chosen = address.window === '' ? shown[0]?.id : address.window
  const create = () => void navigate({ to: PATHS.newWindow })
  useShortcuts(may ? [{ keys: 'n', label: 'New window', group: 'This screen', run: create }] : [])
  return (
    <Page
      title="Maintenance"
      about="In a window checks go on; alerts wait and uptime does not count."
      actions={
        may && (
          <ButtonLink kind="primary" to={PATHS.newWindow}>
            <Plus className="icon" aria-hidden="true" />
            New window <Keys of="N" />
          </ButtonLink>
        )
      }
    >
      <Wait until={[active, list]} />
      {active.data?.data.map((window) => (
        <ActiveWindow key={window.id} of={window} actions={own} />
      ))}
      <div className={chosen === undefined ? 'cal-alone' : 'cols cal-cols'}>
        <div>
          <Calendar />
        </div>
        {chosen !== undefined && <WindowAside id={chosen} actions={own} />}
      </div>
      <List list={list} show={address.show} chosen={chosen} />
      {list.data && <Pages {...list.data.pagination} />}
      {dialogs}
    </Page>
  )
}

/** Upcoming windows start with the next one; past windows start with the newest. */
const inOrder = (windows: readonly WindowView[], show: string): readonly WindowView[] =>
  show === 'completed' ? windows : windows.toSorted(bySoonest)

function useWindows({ show, page }: { show: string; page: string }) {
  const status =
    show === 'completed' ? (['COMPLETED'] as const) : (['SCHEDULED', 'ACTIVE'] as const)
  return useRead('GET /maintenance-windows', {
    query: { status: [...status], limit: PAGE_SIZE, offset: (Number(page) - 1) * PAGE_SIZE },
  })
}

type ListProps = { list: ReturnType<typeof useWindows>; show: string; chosen: string | undefined }

function List({ list, show, chosen }: ListProps) {
  const may = useMay('MEMBER')
  const isComing = show !== 'completed'
  return (
    <section className="card" aria-labelledby="windows">
      <header>
        <h2 id="windows">All windows</h2>
        <Segment label="Which windows" name="show" value={show} options={SHOW} />
      </header>
      <table className="table wins">
        <thead>
          <tr>
            <th>Name</th>
            <th>{isComing ? 'Next' : 'When'}</th>
            <th>Repeats</th>
            <th className="end">Monitors</th>
            <th>State</th>
          </tr>
        </thead>
        <tbody>
          <Loaded
            query={list}
            loading={<SkeletonRows rows={4} widths={['60%', '60%', '40%', '20%', '50%']} />}
          >
            {({ data }) =>
              inOrder(data, show).map((window) => (
                <Row key={window.id} of={window} isChosen={window.id === chosen} />
              ))
            }
          </Loaded>
        </tbody>
      </table>
      {list.data?.data.length === 0 && (
        <Empty
          title={isComing ? 'Nothing is planned' : 'Nothing is completed yet'}
          action={may && isComing && <ButtonLink to={PATHS.newWindow}>Plan a window</ButtonLink>}
        >
          Plan work ahead, and nobody is woken by it.
        </Empty>
      )}
    </section>
  )
}

function Row({ of, isChosen }: { of: WindowView; isChosen: boolean }) {
  const now = useNow(60_000)
  return (
    <tr aria-selected={isChosen}>
      <td className="name">
        <div className="two">
          <Link
            className="truncate"
            to="."
            search={(before: Address): Address => ({ ...before, window: of.id })}
            resetScroll={false}
            activeProps={{ 'aria-current': undefined }}
            title={of.name}
          >
            <bdi>{of.name}</bdi>
          </Link>
          <span className="truncate">
            {of.showOnStatusPages ? 'On status pages' : 'Not on a status page'}
            {of.notifySubscribers && ', subscribers told'}
          </span>
        </div>
      </td>
      <td className="wh">
        <div className="two">
          <span className="num">{spanLabel(spanOf(of), now, of.timezone)}</span>
          <span>{of.timezone}</span>
        </div>
      </td>
      <td className="rp">
        {of.recurrence === null ? (
          <span className="faint once">Once</span>
        ) : (
          <span className="row rep-word">
            <Repeat className="icon sm" aria-hidden="true" />
            {recurrenceLabel(of.recurrence)}
          </span>
        )}
      </td>
      <td className="num end mo">{of.allMonitors ? 'All' : of.monitorIds.length}</td>
      <td className="st">
        <Status of={of} />
      </td>
    </tr>
  )
}

function Status({ of }: { of: WindowView }) {
  if (of.status === 'ACTIVE') return <StateLabel state="MAINTENANCE" word="Active" />
  if (of.status === 'COMPLETED') return <StateLabel state="UP" word="Completed" />
  return (
    <span className="state is-none">
      <Clock className="icon" aria-hidden="true" />
      Scheduled
    </span>
  )
}
