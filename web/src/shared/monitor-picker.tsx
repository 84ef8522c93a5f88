// Monitors to choose from, by name, with state and type.
import type { ReactNode } from 'react'
import { listedState } from '../../../src/domain/monitors/list-order.ts'
import type { ItemOf } from '../api/contract.ts'
import { monitorPickerText } from '../messages/forms/monitor-picker.ts'
import { useRead } from '../session/use-api.ts'
import { Button } from '../ui/button.tsx'
import { Choice } from '../ui/field.tsx'
import { Loaded, Skeleton } from '../ui/loading.tsx'
import { appearanceOf, Mark } from '../ui/state.tsx'
import '../ui/choice.css'
import './monitor-picker.css'

type PickableMonitor = ItemOf<'GET /overview/monitors'>
type Found = ReturnType<typeof usePickableMonitors>

/** How many are shown at once. */
export const PICKER_SIZE = 50

export function usePickableMonitors(search: string, offset = 0) {
  return useRead('GET /overview/monitors', {
    query: { limit: PICKER_SIZE, offset, q: search, sort: 'name' },
  })
}

type MonitorPickerProps = {
  found: Found
  isChosen: (id: string) => boolean
  choose: (monitor: PickableMonitor, checked: boolean) => void
  chooseAll: (monitors: readonly PickableMonitor[]) => void
  hintOf?: (id: string) => string | undefined
  /** Instead of "no matches". */
  empty?: ReactNode
  /** Whether other pages of the list can be opened. */
  isPaged?: boolean
}

export function MonitorPicker(props: MonitorPickerProps) {
  const { found, isChosen, choose, chooseAll, hintOf, empty, isPaged = false } = props
  return (
    <Loaded
      query={found}
      loading={
        <div className="choice-list whole">
          <Skeleton />
        </div>
      }
    >
      {({ data, pagination }) => (
        <div className="choice-list whole">
          {data.length > 1 && (
            <div className="row">
              <Button
                kind="ghost"
                size="sm"
                whyNot={
                  data.every(({ id }) => isChosen(id)) ? monitorPickerText.allSelected : undefined
                }
                onClick={() => chooseAll(data)}
              >
                {monitorPickerText.selectShown({ count: data.length })}
              </Button>
            </div>
          )}
          {data.map((monitor) => (
            <Option
              key={monitor.id}
              monitor={monitor}
              isChosen={isChosen(monitor.id)}
              choose={choose}
              hint={hintOf?.(monitor.id)}
            />
          ))}
          {!isPaged && pagination.total > data.length && (
            <p className="hint">
              {monitorPickerText.more({ count: pagination.total - data.length })}
            </p>
          )}
          {pagination.total === 0 &&
            (empty || <p className="hint">{monitorPickerText.noMatches}</p>)}
        </div>
      )}
    </Loaded>
  )
}

type OptionProps = Pick<MonitorPickerProps, 'choose'> & {
  monitor: PickableMonitor
  isChosen: boolean
  hint: string | undefined
}

function Option({ monitor, isChosen, choose, hint }: OptionProps) {
  const { name, type } = monitor
  const state = listedState(monitor)
  const { tone, word } = appearanceOf(state)
  return (
    <Choice
      checked={isChosen}
      onChange={(checked) => choose(monitor, checked)}
      label={
        <span className="pick-monitor">
          <span className={`state ${tone}`} title={word}>
            <Mark state={state} />
            <span className="sr">{word}</span>
          </span>
          <bdi className="wrap-any">{name}</bdi> <span className="type">{type}</span>
        </span>
      }
      {...(hint !== undefined && { hint })}
    />
  )
}
