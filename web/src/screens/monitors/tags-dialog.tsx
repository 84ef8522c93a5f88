import { MAX_TAG_CHARACTERS } from '../../../../src/domain/monitors/tag.ts'
import type { ItemOf } from '../../api/contract.ts'
import { listOf } from '../../messages/list.ts'
import { namesText, tagsText as text } from '../../messages/monitors/names.ts'
import { toast } from '../../session/toast.ts'
import { useRead, useWrite } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Empty, Loaded, Skeleton } from '../../ui/loading.tsx'
import { Dialog } from '../../ui/overlay/dialog.tsx'
import { type NamedItem, NamedList } from '../../ui/overlay/named-list.tsx'

export function TagsDialog({ onClose }: { onClose: () => void }) {
  const tags = useRead('GET /tags', {})
  const rename = useWrite('PATCH /tags/{tagId}', { inForm: true })
  const remove = useWrite('DELETE /tags/{tagId}')
  return (
    <Dialog
      open
      onClose={onClose}
      title={text.title}
      about={text.about}
      foot={<Button onClick={onClose}>{namesText.close}</Button>}
    >
      <Loaded query={tags} loading={<Skeleton />}>
        {({ data }) =>
          data.length === 0 ? (
            <Empty title={text.empty}>{text.emptyAbout}</Empty>
          ) : (
            <NamedList
              label={text.title}
              items={data.map(toItem)}
              maxLength={MAX_TAG_CHARACTERS}
              deleteAction={text.deleteAction}
              busy={rename.isPending || remove.isPending}
              error={rename.error}
              onBegin={rename.reset}
              onRename={({ id: tagId }, name, done) =>
                rename.mutate(
                  { params: { tagId }, body: { name } },
                  {
                    onSuccess: (tag) => {
                      toast(text.renamed({ name: tag.name }))
                      done()
                    },
                  },
                )
              }
              onDelete={({ id: tagId, name }) =>
                remove.mutate(
                  { params: { tagId } },
                  { onSuccess: () => toast(text.deleted({ name })) },
                )
              }
            />
          )
        }
      </Loaded>
    </Dialog>
  )
}

function toItem({ id, name, monitors, statusPages }: ItemOf<'GET /tags'>): NamedItem {
  const isFollowed = statusPages.length > 0
  const detail = [
    text.on({ monitors }),
    ...(isFollowed ? [text.onPages({ pages: listOf(statusPages) })] : []),
  ]
  return {
    id,
    name,
    detail: detail.join(', '),
    question: isFollowed
      ? text.deletingOnPages({
          name,
          monitors,
          count: statusPages.length,
          pages: listOf(statusPages),
        })
      : text.deleting({ name, monitors }),
  }
}
