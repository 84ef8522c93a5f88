// The status page as it takes shape: the answers so far, and placeholders for the rest.
import type { ResponseOf } from '../../api/contract.ts'
import { welcomeText } from '../../messages/entry/welcome.ts'
import { useOrganization } from '../../session/organization.ts'
import { type BarCell, Bars } from '../../ui/bars.tsx'
import { Mark, StateLabel } from '../../ui/state.tsx'
import '../../ui/browser-frame.css'
import '../../ui/notice.css'
import './welcome.css'

const text = welcomeText.preview
const DAYS = 45
const GRID = { width: 5, gap: 3, height: 30 }

type Props = {
  monitor: string | undefined
  state: ResponseOf<'GET /monitors/{monitorId}'>['state'] | undefined
  isPublic: boolean
}

export function Preview({ monitor, state, isPublic }: Props) {
  const { name } = useOrganization()
  const isUp = state === 'UP'
  return (
    <aside className="preview" aria-label={text.label}>
      <div className="preview-bar">
        <i />
        <i />
        <i />
        <span className="badge">{isPublic ? text.public : text.private}</span>
      </div>
      <div className="stack preview-page">
        <b className="strong truncate" title={name}>
          {name}
        </b>
        {isUp ? (
          <div className="notice is-up">
            <Mark state="UP" />
            <b className="strong">{text.operational}</b>
          </div>
        ) : (
          <span className="ghost-line tall" />
        )}
        <div className="preview-part">
          <div className="row between">
            {monitor === undefined ? (
              <span className="ghost-line" />
            ) : (
              <b className="truncate" title={monitor}>
                {monitor}
              </b>
            )}
            {isUp && <StateLabel state="UP" word={text.up} />}
          </div>
          <div className="bars">
            <Bars cells={cellsOf(isUp)} grid={GRID} label={text.days({ count: DAYS })} />
          </div>
          <div className="axis">
            <span>{text.daysAgo({ count: DAYS })}</span>
            <span>{text.today}</span>
          </div>
        </div>
        <span className="ghost-line" />
        <span className="ghost-line tall" />
      </div>
    </aside>
  )
}

const cellsOf = (isUp: boolean): BarCell[] => [
  ...Array<BarCell>(DAYS - 1).fill('NONE'),
  isUp ? 'UP' : 'NONE',
]
