// Saved views: filters and sort order with a name, shared by the organization.
import { Bookmark, ListFilter, Plus, Tags } from 'lucide-react'
import { lazy, Suspense, useState } from 'react'
import type { ItemOf } from '../../api/contract.ts'
import { viewsMenuText as text } from '../../messages/monitors/views-menu.ts'
import { useMay } from '../../session/organization.ts'
import { useRead } from '../../session/use-api.ts'
import { Button } from '../../ui/button.tsx'
import { Menu, MenuItem, MenuLine } from '../../ui/overlay/menu.tsx'
import { LIST_ADDRESS } from './list-input.ts'

const TagsDialog = lazy(() => import('./tags-dialog.tsx').then((m) => ({ default: m.TagsDialog })))
const views = () => import('./views-dialog.tsx')
const ViewsDialog = lazy(() => views().then((m) => ({ default: m.ViewsDialog })))
const SaveView = lazy(() => views().then((m) => ({ default: m.SaveView })))

type Address = typeof LIST_ADDRESS
type Props = { address: Address; go: (change: Partial<Address>) => void }

export function ViewsMenu({ address, go }: Props) {
  const mayWrite = useMay('MEMBER')
  const saved = useRead('GET /monitor-views', {}).data?.data ?? []
  const [open, setOpen] = useState<'tags' | 'views' | 'save'>()
  const close = () => setOpen(undefined)
  if (!mayWrite && saved.length === 0) return null
  return (
    <>
      <Menu
        trigger={
          <Button className="views">
            <Bookmark className="icon" aria-hidden="true" />
            {text.button}
          </Button>
        }
      >
        {saved.map((view) => (
          <MenuItem key={view.id} icon={ListFilter} onSelect={() => go(toAddress(view))}>
            <span className="truncate">
              <bdi>{view.name}</bdi>
            </span>
          </MenuItem>
        ))}
        {mayWrite && (
          <>
            {saved.length > 0 && <MenuLine />}
            <MenuItem icon={Plus} onSelect={() => setOpen('save')}>
              {text.save}
            </MenuItem>
            {saved.length > 0 && (
              <MenuItem icon={Bookmark} onSelect={() => setOpen('views')}>
                {text.manage}
              </MenuItem>
            )}
            <MenuItem icon={Tags} onSelect={() => setOpen('tags')}>
              {text.manageTags}
            </MenuItem>
          </>
        )}
      </Menu>
      <Suspense>
        {open === 'tags' && <TagsDialog onClose={close} />}
        {open === 'views' && <ViewsDialog onClose={close} />}
        {open === 'save' && <SaveView filter={toFilter(address)} onClose={close} />}
      </Suspense>
    </>
  )
}

type View = ItemOf<'GET /monitor-views'>

/** What a view leaves out has its default: applying one never keeps a part of the filter before. */
function toAddress({ filter }: View): Partial<Address> {
  const { q = '', state = '', type = '', tagId = '', sort, reversed } = filter
  const order = { sort: sort ?? LIST_ADDRESS.sort, reversed: reversed ? '1' : '' }
  return { q, state, type, tag: tagId, ...order, page: '1' }
}

/** A URL can hold anything; the server refuses invalid values. */
function toFilter({ q, state, type, tag, sort, reversed }: Address): View['filter'] {
  const filter = {
    ...(q !== '' && { q }),
    ...(state !== '' && { state }),
    ...(type !== '' && { type }),
    ...(tag !== '' && { tagId: tag }),
    ...(sort !== LIST_ADDRESS.sort && { sort }),
    ...(reversed !== '' && { reversed: true }),
  }
  return filter as View['filter']
}
