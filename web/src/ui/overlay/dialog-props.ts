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
  /** Disables closing by Escape or a click outside, while a secret is not saved. */
  holds?: boolean
  className?: string
}
