import { useState } from 'react'
import { Button } from '../../ui/button.tsx'
import { Field } from '../../ui/field.tsx'
import './chart.css'

type Props = { from: string; to: string; onChange: (stretch: { from: string; to: string }) => void }

/** Start and end in the viewer's time zone; the URL holds them as instants. */
export function CustomRange({ from, to, onChange }: Props) {
  const [start, setStart] = useState(toLocal(from))
  const [end, setEnd] = useState(toLocal(to))
  const isWhole = start !== '' && end !== '' && start < end
  return (
    <form
      className="custom-range"
      onSubmit={(event) => {
        event.preventDefault()
        if (isWhole)
          onChange({ from: new Date(start).toISOString(), to: new Date(end).toISOString() })
      }}
    >
      <Field label="From">
        {(control) => (
          <input
            {...control}
            className="input"
            type="datetime-local"
            value={start}
            onChange={(event) => setStart(event.currentTarget.value)}
          />
        )}
      </Field>
      <Field label="To">
        {(control) => (
          <input
            {...control}
            className="input"
            type="datetime-local"
            value={end}
            onChange={(event) => setEnd(event.currentTarget.value)}
          />
        )}
      </Field>
      <Button type="submit" whyNot={isWhole ? undefined : 'Give a start, and an end after it'}>
        Show
      </Button>
    </form>
  )
}

function toLocal(instant: string): string {
  if (instant === '' || Number.isNaN(Date.parse(instant))) return ''
  const at = new Date(instant)
  const local = new Date(at.getTime() - at.getTimezoneOffset() * 60_000)
  return local.toISOString().slice(0, 16)
}
