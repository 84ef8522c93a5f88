import { useState } from 'react'
import { monitorText } from '../../../messages/monitor.ts'
import { Button } from '../../../ui/button.tsx'
import { Field } from '../../../ui/field.tsx'
import type { Stretch } from './series.ts'
import './chart.css'

const { chart: text } = monitorText

type Props = Stretch & { onChange: (stretch: Stretch) => void }

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
      <Field label={text.from}>
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
      <Field label={text.to}>
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
      <Button type="submit" whyNot={isWhole ? undefined : text.choose}>
        {text.show}
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
