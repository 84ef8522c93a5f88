// Menus. Their implementation, menu-base.tsx, loads lazily.
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
import { lazyPart } from '../lazy.ts'
import type { ItemProps, MenuProps, RadioProps } from './menu-props.ts'

const base = lazyPart(() => import('./menu-base.tsx'))

export function Menu(props: MenuProps) {
  const parts = base.use()
  const button = useRef<HTMLButtonElement>(null)
  const [done] = useState(() => new Set<'focus' | 'click'>())
  // The button is replaced when the menu loads: repeat the focus and click on the new one.
  useEffect(() => {
    if (parts === undefined) return
    if (done.delete('focus')) button.current?.focus({ preventScroll: true })
    if (done.delete('click')) button.current?.click()
  }, [parts, done])
  if (parts === undefined) return cloneElement(props.trigger, waiting(done))
  return <parts.Menu {...props} button={button} />
}

/** A button whose menu is still loading: it opens the menu once loaded. */
function waiting(done: Set<'focus' | 'click'>): ComponentProps<'button'> {
  const press = () => {
    done.add('click')
    // A menu that opens minutes later would surprise.
    void base.fetch().then((isThere) => !isThere && done.delete('click'))
  }
  return {
    'aria-haspopup': 'menu',
    'aria-expanded': false,
    onPointerEnter: () => void base.fetch(),
    onFocus: () => {
      done.add('focus')
      void base.fetch()
    },
    onBlur: () => done.delete('focus'),
    // Opens on mouse down, as the menu itself does.
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

/** A choice of one option in a menu. */
export function MenuRadio<V extends string>(props: RadioProps<V>) {
  const parts = base.use()
  return parts && <parts.Radio {...props} />
}
