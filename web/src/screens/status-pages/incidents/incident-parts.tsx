// Parts of the publishing forms: phase, message, components, and notifications.
import { Plus, X } from 'lucide-react'
import {
  AFFECTED_STATES,
  type AffectedState,
} from '../../../../../src/domain/status-pages/page-state.ts'
import { STATUS_INCIDENT_STATUSES } from '../../../../../src/domain/status-pages/status-incident.ts'
import { publishPartsText as TEXT } from '../../../messages/publishing/incidents.ts'
import { STATUS_LABELS, stateOfIncident } from '../../../shared/published-incident.ts'
import { formatClock } from '../../../time/format.ts'
import { Button } from '../../../ui/button.tsx'
import { Choice, Field } from '../../../ui/field.tsx'
import { GroupProblem } from '../../../ui/group-problem.tsx'
import { Menu, MenuItem } from '../../../ui/overlay/menu.tsx'
import { appearanceOf, Mark } from '../../../ui/state.tsx'
import { type ComponentOption, type StatusIncidentDraft } from './incident-draft.ts'
import './incident-parts.css'
import './status-incident.css'

const MAX_MESSAGE = 10_000

export type IncidentPartProps = {
  draft: StatusIncidentDraft
  set: (change: Partial<StatusIncidentDraft>) => void
  at: (path: string) => string | undefined
}

/** When each phase was first reached, if it was. */
export type Reached = Partial<Record<StatusIncidentDraft['status'], string>>

export function PhasePick({ draft, set, reached }: IncidentPartProps & { reached: Reached }) {
  const now = STATUS_INCIDENT_STATUSES.indexOf(draft.status)
  const { tone } = appearanceOf(stateOfIncident({ ...draft, status: 'INVESTIGATING' }))
  return (
    <div className="form-block">
      <fieldset className="plain">
        <legend className="label">{TEXT.status}</legend>
        <div className={`phase-pick ${tone}`}>
          {STATUS_INCIDENT_STATUSES.map((status, index) => {
            const before = reached[status]
            const hint = status === 'RESOLVED' ? TEXT.closes : '\u00a0'
            return (
              <label
                key={status}
                className={`phase-card ${index < now ? 'done' : index === now ? 'now' : ''}`}
              >
                <input
                  type="radio"
                  name="status"
                  checked={draft.status === status}
                  onChange={() => set({ status })}
                />
                <span>{STATUS_LABELS[status]}</span>
                <span className="hint num">{before ? formatClock(before) : hint}</span>
              </label>
            )
          })}
        </div>
      </fieldset>
    </div>
  )
}

export function MessagePart({ draft, set, at }: IncidentPartProps) {
  return (
    <div className="form-block">
      <MessageField
        label={TEXT.message}
        rows={5}
        value={draft.message}
        onChange={(message) => set({ message })}
        problem={at('message')}
      />
    </div>
  )
}

type MessageProps = {
  label: string
  rows: number
  value: string
  onChange: (value: string) => void
  problem: string | undefined
}

/** Markdown for visitors. */
export function MessageField({ label, rows, value, onChange, problem }: MessageProps) {
  return (
    <Field
      label={label}
      problem={problem}
      hint={TEXT.messageHint}
      beside={
        <span className="hint num">{TEXT.length({ length: value.length, most: MAX_MESSAGE })}</span>
      }
    >
      {(control) => (
        <textarea
          {...control}
          className="textarea"
          rows={rows}
          maxLength={MAX_MESSAGE}
          value={value}
          onChange={(event) => onChange(event.currentTarget.value)}
        />
      )}
    </Field>
  )
}

export function AffectedPart({
  draft,
  set,
  at,
  all,
}: IncidentPartProps & { all: readonly ComponentOption[] }) {
  const { components } = draft
  const known = new Map(all.map((one) => [one.id, one]))
  const rest = all.filter(({ id }) => !components.some(({ componentId }) => componentId === id))
  const problem = at('components')
  const setState = (id: string, state: AffectedState) =>
    set({ components: components.map((one) => (one.componentId === id ? { ...one, state } : one)) })
  return (
    <div className="form-block">
      <div className="row between comp-head">
        <span className="label">{TEXT.affected}</span>
        <span className="hint">{TEXT.affectedHint}</span>
      </div>
      {components.length > 0 && (
        <ul className="affected">
          {components.map(({ componentId: id, state }) => (
            <AffectedRow
              key={id}
              component={known.get(id)}
              state={state}
              onState={(next) => setState(id, next)}
              onRemove={() =>
                set({ components: components.filter(({ componentId }) => componentId !== id) })
              }
            />
          ))}
        </ul>
      )}
      <GroupProblem of={problem} />
      {rest.length > 0 && (
        <AddMenu
          rest={rest}
          onAdd={(componentId) =>
            set({ components: [...components, { componentId, state: 'DEGRADED' }] })
          }
        />
      )}
    </div>
  )
}

type AddProps = { rest: readonly ComponentOption[]; onAdd: (id: string) => void }

function AddMenu({ rest, onAdd }: AddProps) {
  return (
    <Menu
      align="start"
      trigger={
        <Button size="sm">
          <Plus className="icon" aria-hidden="true" />
          {TEXT.addComponent}
        </Button>
      }
    >
      <div className="menu-scroll">
        {rest.map(({ id, name, location }) => (
          <MenuItem key={id} onSelect={() => onAdd(id)}>
            <span className="truncate">
              <bdi>{name}</bdi> <span className="faint">{location}</span>
            </span>
          </MenuItem>
        ))}
      </div>
    </Menu>
  )
}

type RowProps = {
  component: ComponentOption | undefined
  state: AffectedState
  onState: (state: AffectedState) => void
  onRemove: () => void
}

/** A component whose page was removed stays visible until it is removed too: the server would reject it. */
function AffectedRow({ component, state, onState, onRemove }: RowProps) {
  const name = component?.name ?? TEXT.notOnPage
  return (
    <li>
      <div className="two">
        <span className="truncate" title={name}>
          <bdi>{name}</bdi>
        </span>
        <span className="truncate">{component?.location}</span>
      </div>
      <div className="pick-state" role="radiogroup" aria-label={TEXT.stateOf({ name })}>
        {AFFECTED_STATES.map((one) => (
          <label key={one} className={appearanceOf(one).tone} title={appearanceOf(one).word}>
            <input
              type="radio"
              name={`state-${component?.id}`}
              checked={one === state}
              onChange={() => onState(one)}
            />
            <Mark state={one} />
            <span className="w">{appearanceOf(one).word}</span>
          </label>
        ))}
      </div>
      <Button kind="ghost" square size="sm" aria-label={TEXT.remove({ name })} onClick={onRemove}>
        <X className="icon" aria-hidden="true" />
      </Button>
    </li>
  )
}

export function NotifyPart({
  draft,
  set,
  subscribers,
}: IncidentPartProps & { subscribers: number }) {
  return (
    <div className="form-block">
      <fieldset className="plain">
        <legend className="label">{TEXT.notify}</legend>
        <div className="stack tight">
          <Choice
            checked={draft.notifySubscribers}
            onChange={(notifySubscribers) => set({ notifySubscribers })}
            label={TEXT.subscribers({ count: subscribers })}
          />
          <p className="hint">{TEXT.feeds}</p>
        </div>
      </fieldset>
    </div>
  )
}
