import type { LucideIcon } from 'lucide-react'
import type { ComponentProps, ReactElement, ReactNode } from 'react'

export type MenuProps = {
  /** The button that opens it, such as `<Button square aria-label="More">`. */
  trigger: ReactElement<ComponentProps<'button'>>
  align?: 'start' | 'end'
  children: ReactNode
}

export type ItemProps = {
  icon?: LucideIcon
  children: ReactNode
  /** Destructive items come last, after a separator, and end with "…" if they ask for confirmation. */
  danger?: boolean
  disabled?: boolean
  onSelect: () => void
}

export type RadioProps<V extends string> = {
  label: string
  value: V
  onChange: (value: V) => void
  options: readonly { value: V; label: string; icon?: LucideIcon }[]
}
