import { Info, Repeat } from 'lucide-react'
import { PATHS } from '../../../../src/domain/values/dashboard-paths.ts'
import { maintenanceText } from '../../messages/publishing/maintenance.ts'
import { useRead } from '../../session/use-api.ts'
import {
  ownMomentLabel,
  ownSpanLabel,
  recurrenceLabel,
  spanLabel,
  spanOf,
  type WindowView,
} from '../../shared/maintenance-window.ts'
import { ManagedById } from '../../shared/managed-by.tsx'
import { plural } from '../../time/figures.ts'
import { formatAgo, formatClock, formatDay } from '../../time/format.ts'
import { useNow } from '../../time/use-now.ts'
import { zoneLabel } from '../../time/zone-names.ts'
import { Button, ButtonLink } from '../../ui/button.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import type { WindowActions } from './use-window-actions.tsx'
import '../../ui/facts.css'
import '../../ui/notice.css'
import './window-aside.css'

const TEXT = maintenanceText.aside

type AsideProps = { id: string; actions: WindowActions | undefined }

/** The selected window, with its next five occurrences. */
export function WindowAside({ id, actions }: AsideProps) {
  const window = useRead('GET /maintenance-windows/{maintenanceId}', {
    params: { maintenanceId: id },
  })
  return (
    <aside aria-label={TEXT.label}>
      <section className="card">
        <div className="card-body">
          <Loaded query={window} loading={<Waiting />}>
            {(data) => <Chosen of={data} actions={actions} />}
          </Loaded>
        </div>
      </section>
    </aside>
  )
}

function Waiting() {
  return (
    <div className="wait" aria-hidden="true">
      <Skeleton />
    </div>
  )
}

function Chosen({ of, actions }: { of: WindowView; actions: WindowActions | undefined }) {
  const now = useNow(60_000)
  const covers = of.allMonitors ? TEXT.allMonitors : plural(of.monitorIds.length, 'monitor')
  return (
    <>
      <h2 className="wrap-any">
        <bdi>{of.name}</bdi>
      </h2>
      <ManagedById id={of.id} />
      {of.recurrence === null ? (
        <Once of={of} now={now} />
      ) : (
        <>
          <p className="row rep-word">
            <Repeat className="icon sm" aria-hidden="true" />
            <span>{recurrenceLabel(of)}</span>
          </p>
          <NextFive of={of} now={now} />
        </>
      )}
      <dl className="facts">
        <div>
          <dt>{TEXT.covers}</dt>
          <dd>{covers}</dd>
        </div>
        <div>
          <dt>{TEXT.pages}</dt>
          <dd>{of.showOnStatusPages ? TEXT.visible : TEXT.hidden}</dd>
        </div>
        <div>
          <dt>{TEXT.subscribers}</dt>
          <dd>{of.notifySubscribers ? TEXT.notified : TEXT.notNotified}</dd>
        </div>
      </dl>
      {actions && of.status !== 'COMPLETED' && <ChosenButtons of={of} actions={actions} />}
    </>
  )
}

function Once({ of, now }: { of: WindowView; now: number }) {
  const span = spanOf(of)
  const own = ownSpanLabel(span, now, of.timezone)
  return (
    <div className="once-at">
      <p>{spanLabel(span, now)}</p>
      {own && <p className="hint num">{own}</p>}
      <p className="hint num">{formatAgo(span.startsAt, now)}</p>
    </div>
  )
}

function NextFive({ of, now }: { of: WindowView; now: number }) {
  const { upcomingOccurrences: next, timezone } = of
  if (next.length === 0) return null
  return (
    <>
      <h3 className="sub">{TEXT.next({ count: next.length })}</h3>
      <ol className="occ">
        {next.map(({ startsAt }, index) => (
          <li key={startsAt} className={index === 0 ? 'next' : ''}>
            <span className="no num" aria-hidden="true">
              {index + 1}
            </span>
            <div className="two">
              <time dateTime={startsAt}>
                {formatDay(startsAt, now)}, {formatClock(startsAt)}
              </time>
              <Own at={startsAt} zone={timezone} />
              <span className="num">{formatAgo(startsAt, now)}</span>
            </div>
          </li>
        ))}
      </ol>
      <p className="notice tz">
        <Info className="icon" aria-hidden="true" />
        <span>{TEXT.zone({ zone: zoneLabel(timezone) })}</span>
      </p>
    </>
  )
}

function Own({ at, zone }: { at: string; zone: string }) {
  const label = ownMomentLabel(at, zone)
  return label && <span className="num">{label}</span>
}

function ChosenButtons({ of, actions }: { of: WindowView; actions: WindowActions }) {
  return (
    <div className="row foot-row wrap">
      <ButtonLink className="grow" to={PATHS.editWindow} params={{ windowId: of.id }}>
        {TEXT.edit}
      </ButtonLink>
      {of.status === 'SCHEDULED' && (
        <Button className="grow" busy={actions.busy} onClick={() => actions.start(of)}>
          {TEXT.startNow}
        </Button>
      )}
      <Button kind="danger" className="grow" onClick={() => actions.remove(of)}>
        {TEXT.cancel}
      </Button>
    </div>
  )
}
