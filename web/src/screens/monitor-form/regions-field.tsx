// The regions of this monitor, in the order in which they are asked. They are no field of the monitor itself, and are
// saved after it.
import type { MonitorType } from '../../../../src/domain/monitors/monitor.ts'
import { callOrganizationApi } from '../../api/call.ts'
import { regionsText as text } from '../../messages/monitors/regions.ts'
import { useRead } from '../../session/use-api.ts'
import { SelectInput } from '../../ui/inputs.tsx'

type Choice = { regions: readonly string[]; mode: 'FIRST' | 'EACH'; downWhen: number | null }

/** Undefined until it is changed; without regions: automatic. */
export type ChosenRegions = Choice | undefined

type Props = {
  of: MonitorType
  monitorId: string | undefined
  chosen: ChosenRegions
  onChange: (choice: Choice) => void
}

const NONE = ''

const WITHOUT_PLACE: readonly MonitorType[] = ['CRON', 'DOMAIN']

/** Nothing where there is only one region to choose, and for what is checked the same everywhere. */
export function RegionsField({ of, monitorId, chosen, onChange }: Props) {
  const { from, own } = useSetting(monitorId)
  const known = useRead('GET /regions', {}).data?.data ?? []
  const choice = chosen ?? own
  const now = choice.regions
  const names = [...new Set([...known.map(({ name }) => name), ...now])]
  if (names.length < 2 || WITHOUT_PLACE.includes(of)) return null
  const shown = now.length < names.length ? [...now, NONE] : now
  const set = (at: number, region: string) =>
    onChange(withRegions(choice, region === NONE ? now.slice(0, at) : now.toSpliced(at, 1, region)))
  return (
    <div className="form-2">
      {shown.map((region, at) => (
        <SelectInput
          // The place is what the field is about.
          // biome-ignore lint/suspicious/noArrayIndexKey: see above
          key={at}
          label={at === 0 ? text.label : choice.mode === 'EACH' ? text.and : text.next}
          value={region}
          onChange={(next) => set(at, next)}
          options={[
            { value: NONE, label: at === 0 ? text.automatic : text.none },
            ...names
              .filter((name) => name === region || !now.includes(name))
              .map((name) => ({ value: name, label: name })),
          ]}
          hint={at === 0 ? hintOf(choice, from) : undefined}
        />
      ))}
      {now.length > 1 && <ModeFields choice={choice} onChange={onChange} />}
    </div>
  )
}

const MAJORITY = ''

/** One region is the first and each of them. */
function ModeFields({ choice, onChange }: { choice: Choice; onChange: (choice: Choice) => void }) {
  const { mode, downWhen, regions } = choice
  return (
    <>
      <SelectInput
        label={text.mode}
        value={mode}
        onChange={(next) => onChange({ ...choice, mode: next, downWhen: null })}
        options={[
          { value: 'FIRST', label: text.first },
          { value: 'EACH', label: text.each },
        ]}
      />
      {mode === 'EACH' && (
        <SelectInput
          label={text.downWhen}
          value={downWhen === null ? MAJORITY : String(downWhen)}
          onChange={(next) =>
            onChange({ ...choice, downWhen: next === MAJORITY ? null : Number(next) })
          }
          options={[
            { value: MAJORITY, label: text.majority },
            ...regions.map((_, at) => ({
              value: String(at + 1),
              label: text.failing({ count: at + 1 }),
            })),
          ]}
          hint={text.downWhenHint}
        />
      )}
    </>
  )
}

/** The rest of the choice as far as it fits them. */
function withRegions({ mode, downWhen }: Choice, regions: readonly string[]): Choice {
  if (regions.length < 2) return { regions, mode: 'FIRST', downWhen: null }
  return { regions, mode, downWhen: downWhen && Math.min(downWhen, regions.length) }
}

const AUTOMATIC: Choice = { regions: [], mode: 'FIRST', downWhen: null }

/** Whose setting counts, and the monitor's own. */
function useSetting(monitorId: string | undefined) {
  const screen = useRead(
    'GET /overview/monitors/{monitorId}',
    { params: { monitorId: monitorId ?? '' } },
    { enabled: monitorId !== undefined },
  )
  const setting = screen.data?.regions
  return { from: setting?.from, own: setting?.from === 'MONITOR' ? setting : AUTOMATIC }
}

function hintOf({ regions, mode }: Choice, from: string | undefined): string {
  if (regions.length > 0) return mode === 'EACH' ? text.eachHint : text.chosenHint
  if (from === 'TAG') return text.fromTag
  return from === 'ORGANIZATION' ? text.fromOrganization : text.hint
}

/** Runs after the monitor is saved. */
export async function saveRegions(
  organizationId: string,
  monitorId: string,
  choice: ChosenRegions,
): Promise<void> {
  if (choice === undefined) return
  const params = { monitorId }
  const { regions, mode, downWhen } = choice
  if (regions.length > 0) {
    const body = { regions: [...regions], mode, downWhen }
    await callOrganizationApi(organizationId, 'PUT /monitors/{monitorId}/regions', { params, body })
    return
  }
  await callOrganizationApi(organizationId, 'DELETE /monitors/{monitorId}/regions', { params })
}
