import { Fragment, type ReactNode } from 'react'
import { type Inline, parseMarkdown, type TextBlock } from './parse-markdown.ts'
import './markdown.css'

/** Text that a person wrote in Markdown. */
export function Markdown({ text }: { text: string }) {
  return (
    <div className="markdown muted" dir="auto">
      {numbered(parseMarkdown(text)).map(([key, block]) => (
        <Fragment key={key}>{drawBlock(block)}</Fragment>
      ))}
    </div>
  )
}

/** The text does not change while it is shown, so a position identifies its part. */
const numbered = <T,>(parts: readonly T[]): [string, T][] =>
  parts.map((part, index) => [`part-${index}`, part])

function drawBlock(block: TextBlock): ReactNode {
  if (block.kind === 'paragraph') return <p>{drawInline(block.parts)}</p>
  const items = numbered(block.items).map(([key, parts]) => <li key={key}>{drawInline(parts)}</li>)
  return block.ordered ? <ol>{items}</ol> : <ul>{items}</ul>
}

function drawInline(parts: readonly Inline[]): ReactNode {
  return numbered(parts).map(([key, part]) => <Fragment key={key}>{drawPart(part)}</Fragment>)
}

function drawPart(part: Inline): ReactNode {
  switch (part.kind) {
    case 'text':
      return part.text
    case 'code':
      return <code>{part.text}</code>
    case 'strong':
      return <b className="strong">{drawInline(part.parts)}</b>
    case 'em':
      return <em>{drawInline(part.parts)}</em>
    case 'link':
      return (
        <a className="link" href={part.href} target="_blank" rel="noopener noreferrer nofollow">
          {drawInline(part.parts)}
        </a>
      )
  }
}
