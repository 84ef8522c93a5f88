import { Menu as Base } from '@base-ui/react/menu'
import { useNavigate } from '@tanstack/react-router'
import type { LucideIcon } from 'lucide-react'
import type { ReactElement, ReactNode } from 'react'

type MenuProps = {
  /** The button that opens it, such as `<Button square aria-label="More">`. */
  trigger: ReactElement
  align?: 'start' | 'end'
  children: ReactNode
}

export function Menu({ trigger, align = 'end', children }: MenuProps) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} />
      <Base.Portal>
        <Base.Positioner className="menu-place" align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className="menu-list floating">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

type ItemProps = {
  icon?: LucideIcon
  children: ReactNode
  /** Destructive ones stand last, after a line, and end with "…" when they ask. */
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

export function MenuItem({ icon: Icon, children, danger, disabled, onSelect }: ItemProps) {
  return (
    <Base.Item
      className={danger ? 'menu-row danger' : 'menu-row'}
      disabled={disabled ?? false}
      onClick={onSelect}
    >
      {Icon && <Icon className="icon" aria-hidden="true" />}
      {children}
    </Base.Item>
  )
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

export const MenuLine = () => <Base.Separator className="menu-line" />

type RadioProps<V extends string> = {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: string; icon?: LucideIcon }[]
}

/** One of a few, in a menu. */
export function MenuRadio<V extends string>({ label, value, onChange, options }: RadioProps<V>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: V) => onChange(next)}>
        {options.map(({ value: one, label: word, icon: Icon }) => (
          <Base.RadioItem key={one} value={one} className="menu-row" closeOnClick>
            {Icon && <Icon className="icon" aria-hidden="true" />}
            <span className="grow">{word}</span>
            <Base.RadioItemIndicator className="menu-tick">✓</Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}
