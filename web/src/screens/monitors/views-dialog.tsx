import { useState } from 'react'
import { MAX_VIEW_CHARACTERS } from '../../../../src/domain/monitors/view.ts'
import type { ItemOf } from '../../api/contract.ts'
import { nameSentences, namesText, viewsText as text } from '../../messages/monitors/names.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { fieldsOf } from '../../ui/field.tsx'
import { TextInput } from '../../ui/inputs.tsx'
import { Loaded, Skeleton } from '../../ui/loading.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { FormDialog } from '../../ui/overlay/form-dialog.tsx'
import { type NamedItem, NamedList } from '../../ui/overlay/named-list.tsx'

type View = ItemOf<'GET /monitor-views'>

type SaveViewProps = { filter: View['filter']; onClose: () => void }

export function SaveView({ filter, onClose }: SaveViewProps) {
  const [name, setName] = useState('')
  const save = useWrite('POST /monitor-views', {
    inForm: true,
    onDone: (view) => {
      toast(text.saving.done({ name: view.name }))
      onClose()
    },
  })
  return (
    <FormDialog
      onClose={onClose}
      title={text.saving.title}
      about={text.saving.about}
      action={text.saving.action}
      busy={save.isPending}
      error={save.error}
      fields={nameSentences}
      onSubmit={() => save.mutate({ body: { name, filter } })}
    >
      <TextInput
        label={text.saving.name}
        required
        autoFocus
        maxLength={MAX_VIEW_CHARACTERS}
        value={name}
        onChange={setName}
        problem={fieldsOf(save.error, nameSentences)('name')}
      />
    </FormDialog>
  )
}

export function ViewsDialog({ onClose }: { onClose: () => void }) {
  const views = useRead('GET /monitor-views', {})
  const rename = useWrite('PATCH /monitor-views/{viewId}', { inForm: true })
  const remove = useWrite('DELETE /monitor-views/{viewId}')
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.title}
      about={text.about}
      foot={<Button onClick={onClose}>{namesText.close}</Button>}
    >
      <Loaded query={views} loading={<Skeleton />}>
        {({ data }) => (
          <NamedList
            label={text.title}
            items={data.map(toItem)}
            maxLength={MAX_VIEW_CHARACTERS}
            deleteAction={text.deleteAction}
            busy={rename.isPending || remove.isPending}
            error={rename.error}
            onBegin={rename.reset}
            onRename={({ id: viewId }, name, done) =>
              rename.mutate(
                { params: { viewId }, body: { name } },
                {
                  onSuccess: (view) => {
                    toast(text.renamed({ name: view.name }))
                    done()
                  },
                },
              )
            }
            onDelete={({ id: viewId, name }) =>
              remove.mutate(
                { params: { viewId } },
                { onSuccess: () => toast(text.deleted({ name })) },
              )
            }
          />
        )}
      </Loaded>
    </Dialog>
  )
}

const toItem = ({ id, name, filter }: View): NamedItem => ({
  id,
  name,
  detail: detailOf(filter),
  question: text.deleting({ name }),
})

/** A sort order that this build does not know is shown as it is called in the URL. */
const sortedBy = (sort: string) =>
  Object.hasOwn(text.by, sort) ? Reflect.get(text.by, sort) : sort

/** Like "DOWN, HTTP, “shop”, by name". */
function detailOf({ q, state, type, tagId, sort }: View['filter']): string {
  const parts = [state, type, q && `“${q}”`, tagId && text.oneTag, sort && sortedBy(sort)]
  return parts.filter(Boolean).join(', ') || text.everything
}
