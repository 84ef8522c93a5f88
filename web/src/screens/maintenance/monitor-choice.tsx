import { useState } from 'react'
import { useRead } from '../../session/use-api.ts'
import { plural } from '../../time/figures.ts'
import { Choice } from '../../ui/field.tsx'
import { GroupProblem } from '../../ui/group-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import type { WindowPartProps } from './window-fields.ts'
import '../../ui/choice.css'

const SHOWN = 50

/** All monitors, or a selection from the search results. */
export function MonitorChoice({ values, set, at }: WindowPartProps) {
  const [search, setSearch] = useState('')
  const monitors = useRead('GET /monitors', { query: { limit: SHOWN, q: search } })
  const { allMonitors, monitorIds } = values
  const choose = (id: string, checked: boolean) =>
    set({ monitorIds: checked ? [...monitorIds, id] : monitorIds.filter((one) => one !== id) })
  return (
    <>
      <Choice
        as="switch"
        checked={allMonitors}
        onChange={(every) => set({ allMonitors: every })}
        label="Every monitor"
        hint="Also those that are made later."
      />
      {!allMonitors && (
        <fieldset className="plain stack">
          <legend className="label">{plural(monitorIds.length, 'monitor')} chosen</legend>
          <TextInput label="Search" type="search" value={search} onChange={setSearch} />
          <Loaded
            query={monitors}
            loading={
              <div className="choice-list whole">
                <Skeleton />
              </div>
            }
          >
            {({ data, pagination }) => (
              <div className="choice-list whole">
                {data.map(({ id, name }) => (
                  <Choice
                    key={id}
                    checked={monitorIds.includes(id)}
                    onChange={(checked) => choose(id, checked)}
                    label={<bdi className="wrap-any">{name}</bdi>}
                  />
                ))}
                {pagination.total > data.length && (
                  <p className="hint">{pagination.total - data.length} more; search to see them.</p>
                )}
                {pagination.total === 0 && <p className="hint">No monitor is called so.</p>}
              </div>
            )}
          </Loaded>
          <GroupProblem of={at('monitorIds')} />
        </fieldset>
      )}
    </>
  )
}
