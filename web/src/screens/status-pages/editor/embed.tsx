import { embedText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { Code } from '../../../ui/copy.tsx'
import type { StatusPageView } from '../page.ts'
import { PartCard } from './fields.tsx'
import './address.css'

/** Embed snippets for other sites, showing the saved page. */
export function Embed({ page: { url, name } }: { page: StatusPageView }) {
  const title = TEXT.status({ name: escaped(name) })
  const badge = `<a href="${url}">\n  <img src="${url}/badge.svg" alt="${title}" height="20">\n</a>`
  const frame = `<iframe src="${url}/embed" title="${title}" width="320" height="44" loading="lazy"\n  style="border: 0"></iframe>`
  return (
    <PartCard id="embed" title={TEXT.title} className="snippets">
      <Code title={TEXT.badge} text={badge} />
      <Code title={TEXT.embed} text={frame} />
      <Code title={TEXT.feeds} text={`${url}/status.json\n${url}/feed.atom\n${url}/feed.rss`} />
    </PartCard>
  )
}

const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('"', '&quot;').replaceAll('<', '&lt;')
