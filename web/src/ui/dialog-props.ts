import type { ReactNode } from 'react'

export type DialogProps = {
  open: boolean
  onClose: () => void
  title: string
  /** One line below the title. */
  about?: ReactNode
  children?: ReactNode
  /** Buttons, the safe one first. */
  foot?: ReactNode
  /** While a secret is unsaved neither Escape nor a click beside closes it. */
  holds?: boolean
  className?: string
}
