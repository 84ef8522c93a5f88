import { Check, Copy } from 'lucide-react'
import { useState } from 'react'
import { Button } from './button.tsx'
import './copy.css'

const SHOWN_MS = 1600

type CopyButtonProps = {
  text: string
  label?: string
  /** The main action of its dialog. */
  isMain?: boolean
}

export function CopyButton({ text, label = 'Copy', isMain = false }: CopyButtonProps) {
  const [copied, setCopied] = useState(false)
  const copy = async () => {
    await navigator.clipboard.writeText(text)
    setCopied(true)
    setTimeout(() => setCopied(false), SHOWN_MS)
  }
  const Icon = copied ? Check : Copy
  return (
    <Button size="sm" {...(isMain && { kind: 'primary' as const })} onClick={() => void copy()}>
      <Icon className="icon sm" aria-hidden="true" />
      <span aria-live="polite">{copied ? 'Copied' : label}</span>
    </Button>
  )
}

type SecretProps = { text: string; label: string; isMain?: boolean }

/** A single line to copy. */
export function Secret({ text, label, isMain = false }: SecretProps) {
  return (
    <div className="secret">
      <code aria-label={label}>{text}</code>
      <CopyButton text={text} isMain={isMain} />
    </div>
  )
}

type CodeProps = {
  title: string
  text: string
  /** Breaks long lines instead of scrolling. */
  wrap?: boolean
}

/** Several lines to copy. */
export function Code({ title, text, wrap = false }: CodeProps) {
  return (
    <div className="code">
      <div className="code-head">
        {title}
        <CopyButton text={text} />
      </div>
      <pre className={wrap ? 'wrap' : ''} tabIndex={0}>
        {text}
      </pre>
    </div>
  )
}
