import { useId } from 'react'
import { tagKey } from '../../../src/domain/monitors/tag.ts'
import { listOf } from '../messages/list.ts'
import { tagsText } from '../messages/monitors/names.ts'
import { useRead } from '../session/use-api.ts'
import { Field } from '../ui/field.tsx'
import { parseTags } from './tags.ts'
import './tags.css'

type Known = { name: string; statusPages: string[] }

/** The tags that are typed and shown by a status page. */
const publishedBy = (value: string, known: readonly Known[]): Known[] => {
  const typed = new Set(parseTags(value).map(tagKey))
  return known.filter(({ name, statusPages }) => statusPages.length > 0 && typed.has(tagKey(name)))
}

type Props = {
  label: string
  value: string
  onChange: (value: string) => void
  problem?: string | undefined
  hint?: string
}

const MAX_TEXT = 900

/** A list with commas. What is typed after the last comma is completed from the existing tags. */
export function TagInput({ label, value, onChange, problem, hint }: Props) {
  const list = useId()
  const { data } = useRead('GET /tags', {})
  const published = publishedBy(value, data?.data ?? [])
  const before = value.includes(',') ? `${value.slice(0, value.lastIndexOf(','))}, ` : ''
  return (
    <Field
      label={label}
      optional
      problem={problem}
      hint={
        <>
          {hint ?? tagsText.inputHint}
          {published.map(({ name, statusPages }) => (
            <span key={name} className="tag-publishes wrap-any">
              {tagsText.publishes({
                tag: name,
                count: statusPages.length,
                pages: listOf(statusPages, 'and'),
              })}
            </span>
          ))}
        </>
      }
    >
      {(control) => (
        <>
          <input
            {...control}
            className="input"
            list={list}
            maxLength={MAX_TEXT}
            value={value}
            onChange={(event) => onChange(event.currentTarget.value)}
          />
          <datalist id={list}>
            {data?.data.map(({ id, name }) => (
              <option key={id} value={`${before}${name}`} />
            ))}
          </datalist>
        </>
      )}
    </Field>
  )
}
