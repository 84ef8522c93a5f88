// How a menu opens, is navigated and closes.
import { Menu as Base } from '@base-ui/react/menu'
import type { ReactNode, Ref } from 'react'
import type { ItemProps, MenuProps, RadioProps } from './menu-props.ts'
import './menu.css'

export function Menu({
  trigger,
  align = 'end',
  children,
  button,
}: MenuProps & { button: Ref<HTMLButtonElement> }) {
  return (
    <Base.Root modal={false}>
      <Base.Trigger render={trigger} ref={button} />
      <Base.Portal>
        <Base.Positioner className="menu-place" align={align} sideOffset={6} collisionPadding={8}>
          <Base.Popup className="menu-list floating">{children}</Base.Popup>
        </Base.Positioner>
      </Base.Portal>
    </Base.Root>
  )
}

export function Item({ icon: Icon, children, danger, disabled, onSelect }: ItemProps) {
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

export const Line = (): ReactNode => <Base.Separator className="menu-line" />

export function Radio<V extends string>({ label, value, onChange, options }: RadioProps<V>) {
  return (
    <Base.Group>
      <Base.GroupLabel className="menu-label">{label}</Base.GroupLabel>
      <Base.RadioGroup value={value} onValueChange={(next: V) => onChange(next)}>
        {options.map(({ value: one, label: word, icon: Icon }) => (
          <Base.RadioItem key={one} value={one} className="menu-row" closeOnClick>
            {Icon && <Icon className="icon" aria-hidden="true" />}
            <span className="grow">{word}</span>
            <Base.RadioItemIndicator>✓</Base.RadioItemIndicator>
          </Base.RadioItem>
        ))}
      </Base.RadioGroup>
    </Base.Group>
  )
}
