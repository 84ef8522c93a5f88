// The regions of this monitor, in the order in which they are asked. They are no field of the monitor itself, and are
// saved after it.
import type { MonitorType } from '../../../../src/domain/monitors/monitor.ts'
import { callOrganizationApi } from '../../api/call.ts'
import { regionsText as text } from '../../messages/monitors/regions.ts'
import { useRead } from '../../session/use-api.ts'
import { SelectInput } from '../../ui/inputs.tsx'

/** Undefined until it is changed; empty: automatic. */
export type ChosenRegions = readonly string[] | undefined

type Props = {
  of: MonitorType
  monitorId: string | undefined
  chosen: ChosenRegions
  onChange: (regions: readonly string[]) => void
}

const NONE = ''

const WITHOUT_PLACE: readonly MonitorType[] = ['CRON', 'DOMAIN']

/** Nothing where there is only one region to choose, and for what is checked the same everywhere. */
export function RegionsField({ of, monitorId, chosen, onChange }: Props) {
  const { from, own } = useSetting(monitorId)
  const known = useRead('GET /regions', {}).data?.data ?? []
  const now = chosen ?? own
  const names = [...new Set([...known.map(({ name }) => name), ...now])]
  if (names.length < 2 || WITHOUT_PLACE.includes(of)) return null
  const shown = now.length < names.length ? [...now, NONE] : now
  const set = (at: number, region: string) =>
    onChange(region === NONE ? now.slice(0, at) : now.toSpliced(at, 1, region))
  return (
    <div className="form-2">
      {shown.map((region, at) => (
        <SelectInput
          // The place is what the field is about.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          label={at === 0 ? text.label : text.next}
          value={region}
          onChange={(next) => set(at, next)}
          options={[
            { value: NONE, label: at === 0 ? text.automatic : text.none },
            ...names
              .filter((name) => name === region || !now.includes(name))
              .map((name) => ({ value: name, label: name })),
          ]}
          hint={at === 0 ? hintOf(now, from) : undefined}
        />
      ))}
    </div>
  )
}

/** Whose setting counts, and the monitor's own. */
function useSetting(monitorId: string | undefined) {
  const screen = useRead(
    'GET /overview/monitors/{monitorId}',
    { params: { monitorId: monitorId ?? '' } },
    { enabled: monitorId !== undefined },
  )
  const { from, regions = [] } = screen.data?.regions ?? {}
  return { from, own: from === 'MONITOR' ? regions : [] }
}

function hintOf(now: readonly string[], from: string | undefined): string {
  if (now.length > 0) return text.chosenHint
  if (from === 'TAG') return text.fromTag
  return from === 'ORGANIZATION' ? text.fromOrganization : text.hint
}

/** Runs after the monitor is saved. */
export async function saveRegions(
  organizationId: string,
  monitorId: string,
  regions: ChosenRegions,
): Promise<void> {
  if (regions === undefined) return
  const params = { monitorId }
  if (regions.length > 0) {
    const body = { regions: [...regions], mode: 'FIRST' as const }
    await callOrganizationApi(organizationId, 'PUT /monitors/{monitorId}/regions', { params, body })
    return
  }
  await callOrganizationApi(organizationId, 'DELETE /monitors/{monitorId}/regions', { params })
}
