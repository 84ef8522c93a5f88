import { Link, type LinkProps } from '@tanstack/react-router'
import type { ComponentProps, ReactNode } from 'react'
import './button.css'

type ButtonStyle = {
  kind?: 'primary' | 'ghost' | 'danger' | 'danger solid'
  size?: 'sm' | 'lg'
  square?: boolean
  block?: boolean
  className?: string | undefined
}

function classesOf({ kind, size, square, block, className }: ButtonStyle): string {
  const names = ['btn', kind, size, square && 'square', block && 'block', className]
  return names.filter(Boolean).join(' ')
}

type ButtonProps = ButtonStyle &
  Omit<ComponentProps<'button'>, 'className'> & {
    /** Shows a spinner, keeps its size, and ignores further clicks. */
    busy?: boolean
    /** Why it is disabled; shown when the person tries to use it. */
    whyNot?: string | undefined
  }

export function Button({ busy, whyNot, children, onClick, ...props }: ButtonProps) {
  const { kind, size, square, block, className, type = 'button', title, ...rest } = props
  const idle = busy || whyNot !== undefined
  return (
    <button
      {...rest}
      type={type}
      className={classesOf({ kind, size, square, block, className } as ButtonStyle)}
      aria-busy={busy || undefined}
      aria-disabled={idle || undefined}
      title={whyNot ?? title}
      onClick={(event) => (idle ? event.preventDefault() : onClick?.(event))}
    >
      {busy && <span className="spinner" aria-hidden="true" />}
      {children}
    </button>
  )
}

/** A link styled as a button: it navigates and changes nothing. */
export function ButtonLink({
  kind,
  size,
  square,
  block,
  className,
  children,
  ...link
}: ButtonStyle & LinkProps & { children?: ReactNode; 'aria-label'?: string; title?: string }) {
  return (
    <Link
      // The target is not the current page, even if its path is a prefix of the current URL.
      activeProps={{ 'aria-current': undefined }}
      {...link}
      className={classesOf({ kind, size, square, block, className } as ButtonStyle)}
    >
      {children}
    </Link>
  )
}

export function Keys({ of }: { of: string }) {
  return (
    <span className="kbd hide-phone" aria-hidden="true">
      {of}
    </span>
  )
}
