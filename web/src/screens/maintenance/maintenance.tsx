import { Link, useNavigate } from '@tanstack/react-router'
import { Clock, Plus, Repeat } from 'lucide-react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { maintenanceText } from '../../messages/publishing/maintenance.ts'
import { useShortcuts } from '../../session/keyboard.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import {
  bySoonest,
  ownSpanLabel,
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
const TEXT = maintenanceText.list
const SHOW = [
  { value: 'coming', label: TEXT.upcoming },
  { value: 'completed', label: TEXT.completed },
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
  const chosen = address.window === '' ? chosenFirst(shown) : address.window
  const create = () => void navigate({ to: PATHS.newWindow })
  useShortcuts(
    may ? [{ keys: 'n', label: maintenanceText.create, group: 'This screen', run: create }] : [],
  )
  return (
    <Page
      title={maintenanceText.title}
      about={maintenanceText.about}
      actions={
        may && (
          <ButtonLink kind="primary" to={PATHS.newWindow}>
            <Plus className="icon" aria-hidden="true" />
            {maintenanceText.create} <Keys of="N" />
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

/** What is active has its own card above, so the next one is shown beside the calendar. */
function chosenFirst(shown: readonly WindowView[]): string | undefined {
  return (shown.find(({ status }) => status !== 'ACTIVE') ?? shown[0])?.id
}

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
        <h2 id="windows">{TEXT.title}</h2>
        <Segment label={TEXT.which} name="show" value={show} options={SHOW} />
      </header>
      <table className="table wins">
        <thead>
          <tr>
            <th>{TEXT.name}</th>
            <th>{isComing ? TEXT.next : TEXT.when}</th>
            <th>{TEXT.repeats}</th>
            <th className="end">{TEXT.monitors}</th>
            <th>{TEXT.state}</th>
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
          title={isComing ? TEXT.nothingUpcoming : TEXT.nothingCompleted}
          action={
            may &&
            isComing && <ButtonLink to={PATHS.newWindow}>{maintenanceText.create}</ButtonLink>
          }
        >
          {TEXT.emptyAbout}
        </Empty>
      )}
    </section>
  )
}

function Row({ of, isChosen }: { of: WindowView; isChosen: boolean }) {
  const now = useNow(60_000)
  const span = spanOf(of)
  const own = ownSpanLabel(span, now, of.timezone)
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
          <span>
            {of.showOnStatusPages ? TEXT.onPages : TEXT.notOnPages}
            {of.notifySubscribers && TEXT.notified}
          </span>
        </div>
      </td>
      <td className="wh">
        <div className="two">
          <span className="num">{spanLabel(span, now)}</span>
          {own && <span className="num">{own}</span>}
        </div>
      </td>
      <td className="rp">
        {of.recurrence === null ? (
          <span className="faint once">{TEXT.once}</span>
        ) : (
          <span className="row rep-word">
            <Repeat className="icon sm" aria-hidden="true" />
            {recurrenceLabel(of)}
          </span>
        )}
      </td>
      <td className="num end mo">{of.allMonitors ? TEXT.allMonitors : of.monitorIds.length}</td>
      <td className="st">
        <Status of={of} />
      </td>
    </tr>
  )
}

function Status({ of }: { of: WindowView }) {
  const word = maintenanceText.states[of.status]
  if (of.status === 'ACTIVE') return <StateLabel state="MAINTENANCE" word={word} />
  if (of.status === 'COMPLETED') return <StateLabel state="UP" word={word} />
  return (
    <span className="state is-none">
      <Clock className="icon" aria-hidden="true" />
      {word}
    </span>
  )
}
