// Makes a section follow a tag. It publishes names, so the person sees them first.
import { useState } from 'react'
import { followText as TEXT } from '../../../messages/publishing/follow-tag.ts'
import { toast } from '../../../session/toast.ts'
import { useRead, useWrite } from '../../../session/use-api.ts'
import { SelectInput } from '../../../ui/inputs.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import type { ComponentDraft, SectionDraft } from './structure.ts'
import './follow-tag.css'

// The most components of a page are two pages of this list.
const LISTED = 100

type Props = { pageId: string; section: SectionDraft; onClose: () => void }

export function FollowTag({ pageId, section, onClose }: Props) {
  const tags = useRead('GET /tags', {}).data?.data ?? []
  const [tagId, setTagId] = useState('')
  const chosen = tags.find(({ id }) => id === tagId)
  const shown = useTagged(tagId)
  const follow = useFollow(pageId, section)
  return (
    <FormDialog
      onClose={onClose}
      title={TEXT.title}
      about={TEXT.about}
      action={chosen && shown ? TEXT.action({ count: shown.total }) : TEXT.choose}
      busy={follow.isPending || (tagId !== '' && shown === undefined)}
      error={follow.error}
      fields={[]}
      onSubmit={() => {
        if (chosen === undefined || shown === undefined) return
        const done = () => {
          toast(TEXT.done({ tag: chosen.name }))
          onClose()
        }
        follow.run({ tagId, expected: shown.total }, done)
      }}
    >
      {tags.length === 0 ? (
        <p>{TEXT.noTags}</p>
      ) : (
        <SelectInput
          label={TEXT.tag}
          value={tagId}
          onChange={setTagId}
          options={[
            { value: '', label: TEXT.chooseTag },
            ...tags.map(({ id, name, monitors }) => ({
              value: id,
              label: TEXT.option({ name, monitors }),
            })),
          ]}
        />
      )}
      {chosen && shown && <Published {...shown} section={section} />}
    </FormDialog>
  )
}

/** With a null tag, the section stops following. */
export function useFollow(statusPageId: string, section: SectionDraft) {
  const write = useWrite('POST /status-pages/{statusPageId}/sections/{sectionId}/tag', {
    inForm: true,
  })
  const params = { statusPageId, sectionId: section.id ?? '' }
  const run = (body: { tagId: string | null; expected: number }, done: () => void) =>
    write.mutate({ params, body }, { onSuccess: done })
  return { ...write, run }
}

type Tagged = { total: number; monitors: { id: string; name: string }[] }

/** Undefined until all of them are known. */
function useTagged(tagId: string): Tagged | undefined {
  const query = { tag: [tagId], sort: 'name' as const, limit: LISTED }
  const isChosen = tagId !== ''
  const first = useRead('GET /overview/monitors', { query }, { enabled: isChosen })
  const total = first.data?.pagination.total ?? 0
  const rest = useRead(
    'GET /overview/monitors',
    { query: { ...query, offset: LISTED } },
    { enabled: isChosen && total > LISTED },
  )
  const parts = [first, ...(total > LISTED ? [rest] : [])]
  // The monitors of the tag chosen before are no answer.
  if (!isChosen || parts.some((part) => part.isPlaceholderData || !part.data)) return undefined
  const monitors = parts.flatMap(({ data }) => data?.data ?? [])
  return { total, monitors: monitors.map(({ id, name }) => ({ id, name })) }
}

function Published({ total, monitors, section }: Tagged & { section: SectionDraft }) {
  const ids = new Set(monitors.map(({ id }) => id))
  const dropped = section.components.filter(
    ({ monitorId }) => monitorId !== null && !ids.has(monitorId),
  )
  return (
    <div className="stack" role="status">
      <p>{TEXT.publishes({ count: total })}</p>
      {monitors.length > 0 && (
        <ul className="follow-names" tabIndex={0} aria-label={TEXT.names}>
          {monitors.map(({ id, name }) => (
            <li key={id} className="wrap-any">
              <bdi>{name}</bdi>
            </li>
          ))}
        </ul>
      )}
      {dropped.length > 0 && (
        <p className="wrap-any">{TEXT.drops({ names: dropped.map(nameOf).join(', ') })}</p>
      )}
    </div>
  )
}

const nameOf = ({ name, monitor }: ComponentDraft): string => name ?? monitor?.name ?? ''
