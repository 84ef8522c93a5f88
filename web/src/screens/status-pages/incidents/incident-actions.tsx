import { useNavigate } from '@tanstack/react-router'
import { Ellipsis, Pencil, Trash2 } from 'lucide-react'
import { useState } from 'react'
import { PATHS } from '../../../../../src/domain/values/dashboard-paths.ts'
import {
  incidentSentences,
  publishPartsText,
  publishedText as TEXT,
} from '../../../messages/publishing/incidents.ts'
import { toast } from '../../../session/toast.ts'
import { useWrite } from '../../../session/use-api.ts'
import { Button } from '../../../ui/button.tsx'
import { fieldsOf } from '../../../ui/field.tsx'
import { Confirm } from '../../../ui/overlay/dialog.tsx'
import { FormDialog } from '../../../ui/overlay/form-dialog.tsx'
import { Menu, MenuItem } from '../../../ui/overlay/menu.tsx'
import type { StatusPageView } from '../page.ts'
import type { PublishedIncident } from './incident-draft.ts'
import { MomentField, PagesField, TitleFields } from './incident-fields.tsx'

type Props = { incident: PublishedIncident; pages: readonly StatusPageView[] }

export function IncidentActions({ incident, pages }: Props) {
  const [asks, setAsks] = useState<'EDIT' | 'DELETE'>()
  const navigate = useNavigate()
  const close = () => setAsks(undefined)
  const remove = useWrite('DELETE /status-incidents/{statusIncidentId}', {
    onDone: () => {
      toast(TEXT.done.deleted)
      void navigate({ to: PATHS.statusPages })
    },
  })
  return (
    <>
      <Button onClick={() => setAsks('EDIT')}>
        <Pencil className="icon" aria-hidden="true" />
        {TEXT.edit}
      </Button>
      <Menu
        trigger={
          <Button square aria-label={TEXT.more}>
            <Ellipsis className="icon" aria-hidden="true" />
          </Button>
        }
      >
        <MenuItem icon={Trash2} danger onSelect={() => setAsks('DELETE')}>
          {TEXT.delete}
        </MenuItem>
      </Menu>
      {asks === 'EDIT' && <Edit incident={incident} pages={pages} onClose={close} />}
      <Confirm
        open={asks === 'DELETE'}
        onClose={close}
        title={TEXT.deleting.title({ title: incident.title })}
        about={TEXT.deleting.about({ updates: incident.updates.length })}
        action={TEXT.deleting.action}
        busy={remove.isPending}
        run={() => remove.mutate({ params: { statusIncidentId: incident.id } })}
      />
    </>
  )
}

/** Corrections that notify no one. */
function Edit({ incident, pages, onClose }: Props & { onClose: () => void }) {
  const { id, title, impact, statusPageIds, startedAt, resolvedAt } = incident
  const [values, setValues] = useState({ title, impact, statusPageIds, startedAt, resolvedAt })
  const set = (change: Partial<typeof values>) => setValues((before) => ({ ...before, ...change }))
  const change = useWrite('PATCH /status-incidents/{statusIncidentId}', {
    inForm: true,
    onDone: () => {
      onClose()
      toast(TEXT.done.saved)
    },
  })
  const at = fieldsOf(change.error, incidentSentences)
  const send = () => {
    const { resolvedAt: end, ...body } = values
    const gone = incident.components.filter(({ componentId }) => !isOn(componentId, body, pages))
    const kept = incident.components.filter((one) => !gone.includes(one))
    change.mutate({
      params: { statusIncidentId: id },
      body: {
        ...body,
        ...(end !== null && { resolvedAt: end }),
        // Removing a page also removes its components.
        ...(gone.length > 0 && { components: kept }),
      },
    })
  }
  return (
    <FormDialog
      onClose={onClose}
      {...TEXT.editing}
      busy={change.isPending}
      error={change.error}
      fields={incidentSentences}
      onSubmit={send}
    >
      <TitleFields draft={values} set={set} at={at} autoFocus />
      <PagesField
        pages={pages}
        chosen={values.statusPageIds}
        onChange={(chosen) => set({ statusPageIds: chosen })}
        problem={at('statusPageIds')}
      />
      <MomentField
        label={publishPartsText.started}
        at={values.startedAt}
        onChange={(next) => set({ startedAt: next })}
        problem={at('startedAt')}
      />
      {values.resolvedAt !== null && (
        <MomentField
          label={publishPartsText.ended}
          at={values.resolvedAt}
          onChange={(next) => set({ resolvedAt: next })}
          problem={at('resolvedAt')}
        />
      )}
    </FormDialog>
  )
}

const isOn = (
  componentId: string,
  { statusPageIds }: Pick<PublishedIncident, 'statusPageIds'>,
  pages: readonly StatusPageView[],
): boolean =>
  pages.some(
    ({ id, sections }) =>
      statusPageIds.includes(id) &&
      sections.some(({ components }) => components.some((one) => one.id === componentId)),
  )
