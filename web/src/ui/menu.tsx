import { useNavigate } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import {
  type ComponentProps,
  cloneElement,
  type KeyboardEvent,
  type MouseEvent,
  type ReactNode,
  useEffect,
  useRef,
  useState,
} from 'react'
import { lazyPart } from './lazy.ts'
import type { ItemProps, MenuProps, RadioProps } from './menu-props.ts'

const base = lazyPart(() => import('./menu-base.tsx'))

export function Menu(props: MenuProps) {
  const parts = base.use()
  const button = useRef<HTMLButtonElement>(null)
  const [done] = useState(() => new Set<'focus' | 'click'>())
  // The button is another one as soon as there is a menu: what was done to the first is done to it.
  useEffect(() => {
    if (parts === undefined) return
    if (done.delete('focus')) button.current?.focus({ preventScroll: true })
    if (done.delete('click')) button.current?.click()
  }, [parts, done])
  if (parts === undefined) return cloneElement(props.trigger, waiting(done))
  return <parts.Menu {...props} button={button} />
}

/** A button whose menu is still on its way: it opens when that is there. */
function waiting(done: Set<'focus' | 'click'>): ComponentProps<'button'> {
  const press = () => {
    done.add('click')
    base.fetch()
  }
  return {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: base.fetch,
    onFocus: () => {
      done.add('focus')
      base.fetch()
    },
    onBlur: () => done.delete('focus'),
    // As the menu itself does: with the button of the mouse going down.
    onMouseDown: ({ button }: MouseEvent) => button === 0 && press(),
    onKeyDown: ({ key }: KeyboardEvent) => key.startsWith('Arrow') && press(),
    onClick: press,
  }
}

export function MenuItem(props: ItemProps) {
  const parts = base.use()
  return parts && <parts.Item {...props} />
}

export function MenuLink({
  to,
  icon,
  children,
}: {
  to: string
  icon?: LucideIcon
  children: ReactNode
}) {
  const navigate = useNavigate()
  return (
    <MenuItem {...(icon && { icon })} onSelect={() => void navigate({ to })}>
      {children}
    </MenuItem>
  )
}

export function MenuLine() {
  const parts = base.use()
  return parts && <parts.Line />
}

/** One of a few, in a menu. */
export function MenuRadio<V extends string>(props: RadioProps<V>) {
  const parts = base.use()
  return parts && <parts.Radio {...props} />
}
