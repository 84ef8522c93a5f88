// Title, impact, pages and start of an incident: everything except its updates.
import { IMPACTS, type Impact } from '../../../../../src/domain/status-pages/status-incident.ts'
import { publishPartsText as TEXT } from '../../../messages/publishing/incidents.ts'
import { IMPACT_LABELS } from '../../../shared/published-incident.ts'
import { zoneName } from '../../../time/format.ts'
import { VIEWER_ZONE } from '../../../time/viewer.ts'
import { parseWall } from '../../../time/wall-text.ts'
import { fromWall, toWall } from '../../../time/wall-time.ts'
import { Choice } from '../../../ui/field.tsx'
import { WallInput } from '../../../ui/form/wall-input.tsx'
import { GroupProblem } from '../../../ui/group-problem.tsx'
import { SelectInput, TextInput } from '../../../ui/inputs.tsx'
import type { StatusPageView } from '../page.ts'
import type { StatusIncidentDraft } from './incident-draft.ts'
import type { IncidentPartProps } from './incident-parts.tsx'
import './status-incident.css'

const IMPACT_OPTIONS = IMPACTS.map((value) => ({ value, label: IMPACT_LABELS[value] }))

type Titled = Pick<StatusIncidentDraft, 'title' | 'impact'>
type TitleProps = {
  draft: Titled
  set: (change: Partial<Titled>) => void
  at: IncidentPartProps['at']
  autoFocus?: boolean
}

export function TitleFields({ draft, set, at, autoFocus = false }: TitleProps) {
  return (
    <div className="title-part">
      <TextInput
        label={TEXT.title}
        autoFocus={autoFocus}
        maxLength={200}
        problem={at('title')}
        value={draft.title}
        onChange={(title) => set({ title })}
      />
      <SelectInput<Impact>
        label={TEXT.impact}
        options={IMPACT_OPTIONS}
        problem={at('impact')}
        value={draft.impact}
        onChange={(impact) => set({ impact })}
      />
    </div>
  )
}

type PagesProps = {
  chosen: readonly string[]
  onChange: (chosen: string[]) => void
  pages: readonly StatusPageView[]
  problem: string | undefined
}

export function PagesField({ chosen, onChange, pages, problem }: PagesProps) {
  return (
    <fieldset className="plain">
      <legend className="label">{TEXT.shownOn}</legend>
      <div className="stack tight">
        {pages.map(({ id, name, published }) => (
          <Choice
            key={id}
            checked={chosen.includes(id)}
            onChange={(checked) =>
              onChange(checked ? [...chosen, id] : chosen.filter((one) => one !== id))
            }
            label={<bdi>{name}</bdi>}
            {...(!published && { hint: TEXT.notPublished })}
          />
        ))}
        <GroupProblem of={problem} />
      </div>
    </fieldset>
  )
}

type MomentProps = {
  label: string
  at: string
  onChange: (at: string) => void
  problem: string | undefined
}

/** In the viewer's time zone. What cannot be read is sent as it is: the server rejects it, and the field says so. */
export function MomentField({ label, at, onChange, problem }: MomentProps) {
  const isKnown = !Number.isNaN(Date.parse(at))
  return (
    <WallInput
      kind="moment"
      label={label}
      hint={isKnown ? zoneName(at) : ''}
      problem={problem}
      value={isKnown ? toWall(at, VIEWER_ZONE) : at}
      onChange={(wall) => onChange(parseWall(wall) === wall ? fromWall(wall, VIEWER_ZONE) : wall)}
    />
  )
}
