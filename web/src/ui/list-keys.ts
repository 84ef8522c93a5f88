// j and k move through a list. Rows carry `data-row` with their id, and a link that takes the focus.
import { useNavigate } from '@tanstack/react-router'
import { useShortcuts } from '../session/keyboard.ts'
import { useAddress } from './address.ts'

const ADDRESS = { page: '1' }

const rows = (): HTMLElement[] => [...document.querySelectorAll<HTMLElement>('[data-row]')]
const current = (): HTMLElement | undefined =>
  document.activeElement?.closest<HTMLElement>('[data-row]') ?? undefined

function move(step: number): void {
  const all = rows()
  const here = current()
  const index = here === undefined ? (step > 0 ? 0 : all.length - 1) : all.indexOf(here) + step
  const next = all[Math.max(0, Math.min(index, all.length - 1))]
  next?.querySelector<HTMLElement>('a')?.focus()
  next?.scrollIntoView({ block: 'nearest' })
}

type Options = {
  /** The number of pages. */
  pages: number
  toggle?: (id: string) => void
  toggleAll?: () => void
  clear?: () => void
}

export function useListKeys({ pages, toggle, toggleAll, clear }: Options): void {
  const [address, go] = useAddress(ADDRESS)
  const navigate = useNavigate()
  const turn = (step: number) => {
    const page = Number(address.page) + step
    if (page >= 1 && page <= pages) go({ page: String(page) })
  }
  const group = 'Lists' as const
  const hidden = true
  useShortcuts([
    { keys: 'j', label: 'Next', group, hidden, run: () => move(1) },
    { keys: 'k', label: 'Previous', group, hidden, run: () => move(-1) },
    {
      keys: 'o',
      label: 'Open',
      group,
      hidden,
      run: () => {
        const link = current()?.querySelector('a')
        if (link) void navigate({ href: link.pathname })
      },
    },
    ...(toggle
      ? [
          {
            keys: 'x',
            label: 'Select',
            group,
            hidden,
            run: () => toggle(current()?.dataset['row'] ?? ''),
          },
        ]
      : []),
    ...(toggleAll
      ? [{ keys: 'X', label: 'Select the whole page', group, hidden, run: toggleAll }]
      : []),
    ...(clear ? [{ keys: 'Escape', label: 'Clear the selection', group, hidden, run: clear }] : []),
    { keys: ']', label: 'Next page', group, hidden, run: () => turn(1) },
    { keys: '[', label: 'Previous page', group, hidden, run: () => turn(-1) },
  ])
}
