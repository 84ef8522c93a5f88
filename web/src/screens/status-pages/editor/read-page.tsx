// The page for people with read-only access: its settings and a preview.
import {
  structureText,
  pageFactsText as TEXT,
} from '../../../messages/publishing/status-page-editor.ts'
import { previewText } from '../../../messages/publishing/status-pages.ts'
import { zoneLabel } from '../../../time/zone-names.ts'
import { Page } from '../../../ui/page.tsx'
import { appearanceOf, StateLabel } from '../../../ui/state.tsx'
import { CRUMBS, componentsOf, plainAddress, type StatusPageView } from '../page.ts'
import { PageTabs, PageTitle } from '../page-head.tsx'
import { Preview, useDrawing } from '../preview.tsx'
import '../../../ui/facts.css'
import '../page-head.css'
import '../published-list.css'
import './editor.css'

export function ReadPage({ page }: { page: StatusPageView }) {
  const drawing = useDrawing('POST /status-page-drafts', { statusPageId: page.id })
  return (
    <Page
      title={page.name}
      crumbs={CRUMBS}
      head={
        <div className="page-head editor-head">
          <PageTitle page={page} />
        </div>
      }
    >
      <PageTabs page={page} current="EDITOR" />
      <div className="editor">
        <div className="edit-col">
          <SettingsList page={page} />
          <Components page={page} />
        </div>
        <Preview
          title={previewText.of({ title: page.name })}
          address={plainAddress(page.url)}
          drawing={drawing}
        />
      </div>
    </Page>
  )
}

function SettingsList({ page }: { page: StatusPageView }) {
  const settings: [string, string][] = [
    [TEXT.state, appearanceOf(page.state).word],
    [TEXT.language, page.locale],
    [TEXT.zone, zoneLabel(page.timezone)],
    [TEXT.days, String(page.historyDays)],
    [TEXT.domain, page.customDomain ?? TEXT.none],
    [TEXT.subscribers, page.subscribersEnabled ? String(page.subscribers) : TEXT.off],
    [TEXT.engines, page.allowIndexing ? TEXT.allowed : TEXT.notAllowed],
  ]
  return (
    <section className="card" aria-labelledby="h-facts">
      <div className="card-body">
        <h2 id="h-facts">{TEXT.title}</h2>
        <dl className="facts">
          {settings.map(([term, value]) => (
            <div key={term}>
              <dt>{term}</dt>
              <dd className="wrap-any">{value}</dd>
            </div>
          ))}
        </dl>
      </div>
    </section>
  )
}

function Components({ page }: { page: StatusPageView }) {
  return (
    <section className="card" aria-labelledby="h-shown">
      <header>
        <h2 id="h-shown">{TEXT.components}</h2>
      </header>
      <ul className="told-list short">
        {componentsOf(page).map(({ id, name, section, state }) => (
          <li key={id}>
            <div className="two">
              <span className="truncate strong" title={name}>
                <bdi>{name}</bdi>
              </span>
              <span className="truncate">{section ?? structureText.untitled}</span>
            </div>
            <StateLabel state={state} />
          </li>
        ))}
      </ul>
    </section>
  )
}
