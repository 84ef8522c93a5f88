// Local dates and times, typed in the product's format or picked from the browser's calendar.
import { CalendarDays } from 'lucide-react'
import { type ReactNode, useRef, useState } from 'react'
import { dateFieldText } from '../../messages/forms/date-fields.ts'
import {
  formatWall,
  formatWallDay,
  parseClock,
  parseWall,
  parseWallDay,
} from '../../time/wall-text.ts'
import { Button } from '../button.tsx'
import { Field } from '../field.tsx'
import './wall-input.css'

const KINDS = {
  moment: { format: formatWall, parse: parseWall, wrong: dateFieldText.moment },
  day: { format: formatWallDay, parse: parseWallDay, wrong: dateFieldText.day },
  clock: { format: (clock: string) => clock, parse: parseClock, wrong: dateFieldText.clock },
} as const

type Kind = keyof typeof KINDS

type WallInputProps = {
  kind: Kind
  label: string
  /** `2026-11-16T03:00`, `2026-11-16` or `03:00`; what was typed if it cannot be read. */
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  hint?: ReactNode
  optional?: boolean
}

export function WallInput(props: WallInputProps) {
  const { kind, label, value, onChange, problem, hint, optional = false } = props
  const { format, parse, wrong } = KINDS[kind]
  const [typed, setTyped] = useState<string>()
  const [isLeft, setIsLeft] = useState(false)
  const isUnread = typed !== undefined && typed.trim() !== '' && parse(typed) === undefined
  const write = (text: string) => {
    setTyped(text)
    setIsLeft(false)
    onChange(parse(text) ?? text.trim())
  }
  const leave = () => {
    setIsLeft(true)
    if (!isUnread) setTyped(undefined)
  }
  const pick = (picked: string) => {
    setTyped(undefined)
    onChange(picked)
  }
  return (
    <Field
      label={label}
      optional={optional}
      problem={isUnread && isLeft ? wrong : problem}
      {...(hint !== undefined && { hint })}
    >
      {(control) => (
        <span className="wall-input">
          <input
            {...control}
            className="input num"
            autoComplete="off"
            spellCheck={false}
            value={typed ?? format(value)}
            onChange={(event) => write(event.currentTarget.value)}
            onBlur={leave}
          />
          {kind !== 'clock' && (
            <Calendar kind={kind} label={label} value={isUnread ? '' : value} onPick={pick} />
          )}
        </span>
      )}
    </Field>
  )
}

type CalendarProps = {
  kind: Exclude<Kind, 'clock'>
  label: string
  value: string
  onPick: (value: string) => void
}

/** Opens the calendar of a native field that is not shown itself: it would use the browser's format. */
function Calendar({ kind, label, value, onPick }: CalendarProps) {
  const native = useRef<HTMLInputElement>(null)
  return (
    <>
      <input
        ref={native}
        className="wall-native"
        type={kind === 'day' ? 'date' : 'datetime-local'}
        tabIndex={-1}
        aria-hidden="true"
        value={value}
        onChange={(event) => onPick(event.currentTarget.value)}
      />
      <Button
        kind="ghost"
        square
        size="sm"
        aria-label={dateFieldText.openCalendar({ label })}
        onClick={() => native.current?.showPicker()}
      >
        <CalendarDays className="icon" aria-hidden="true" />
      </Button>
    </>
  )
}
