import './tags.css'

type Tag = { id: string; name: string }

/** `most`: how many are shown in one line, or fewer where it is narrow; the others are counted. */
export function TagList({ tags, most }: { tags: readonly Tag[]; most?: number }) {
  if (tags.length === 0) return null
  const shown = most === undefined ? tags : tags.slice(0, most)
  const names = tags.map(({ name }) => name).join(', ')
  return (
    <span
      className={most === undefined ? 'tags' : 'tags one-line'}
      title={names}
      role="group"
      aria-label={`Tags: ${names}`}
    >
      {shown.map(({ id, name }) => (
        <bdi key={id} className="tag-name">
          {name}
        </bdi>
      ))}
      {shown.length < tags.length && (
        <span className="tag-name tags-more wide">+{tags.length - shown.length}</span>
      )}
      {most !== undefined && <span className="tag-name tags-more every">+{tags.length}</span>}
      {most !== undefined && tags.length > 1 && (
        <span className="tag-name tags-more narrow">+{tags.length - 1}</span>
      )}
    </span>
  )
}
