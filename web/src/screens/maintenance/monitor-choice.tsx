import { useState } from 'react'
import { monitorPickerText } from '../../messages/forms/monitor-picker.ts'
import { windowFormText as TEXT } from '../../messages/publishing/maintenance.ts'
import { MonitorPicker, usePickableMonitors } from '../../shared/monitor-picker.tsx'
import { Choice } from '../../ui/field.tsx'
import { GroupProblem } from '../../ui/group-problem.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import type { WindowPartProps } from './window-fields.ts'

/** All monitors, or a selection from the search results. */
export function MonitorChoice({ values, set, at }: WindowPartProps) {
  const [search, setSearch] = useState('')
  const found = usePickableMonitors(search)
  const { allMonitors, monitorIds } = values
  const choose = (id: string, checked: boolean) =>
    set({ monitorIds: checked ? [...monitorIds, id] : monitorIds.filter((one) => one !== id) })
  return (
    <>
      <Choice
        as="switch"
        checked={allMonitors}
        onChange={(every) => set({ allMonitors: every })}
        label={TEXT.allMonitors}
        hint={TEXT.allMonitorsHint}
      />
      {!allMonitors && (
        <fieldset className="plain stack">
          <legend className="label">{TEXT.selected({ count: monitorIds.length })}</legend>
          <TextInput
            label={monitorPickerText.search}
            type="search"
            value={search}
            onChange={setSearch}
          />
          <MonitorPicker
            found={found}
            empty={search === '' && <p className="hint">{monitorPickerText.none}</p>}
            isChosen={(id) => monitorIds.includes(id)}
            choose={({ id }, checked) => choose(id, checked)}
            chooseAll={(monitors) =>
              set({ monitorIds: [...new Set([...monitorIds, ...monitors.map(({ id }) => id)])] })
            }
          />
          <GroupProblem of={at('monitorIds')} />
        </fieldset>
      )}
    </>
  )
}
