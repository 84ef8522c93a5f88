// The page for people with read-only access: its settings and a preview.
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
          title={`Preview of ${page.name}`}
          address={plainAddress(page.url)}
          drawing={drawing}
        />
      </div>
    </Page>
  )
}

function SettingsList({ page }: { page: StatusPageView }) {
  const settings: [string, string][] = [
    ['State', appearanceOf(page.state).word],
    ['Language', page.locale],
    ['Time zone', page.timezone],
    ['Days shown', String(page.historyDays)],
    ['Own domain', page.customDomain ?? 'None'],
    ['E-mail subscribers', page.subscribersEnabled ? String(page.subscribers) : 'Switched off'],
    ['Search engines', page.allowIndexing ? 'May list it' : 'May not list it'],
  ]
  return (
    <section className="card" aria-labelledby="h-facts">
      <div className="card-body">
        <h2 id="h-facts">Settings</h2>
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
        <h2 id="h-shown">Components</h2>
      </header>
      <ul className="told-list short">
        {componentsOf(page).map(({ id, name, section, state }) => (
          <li key={id}>
            <div className="two">
              <span className="truncate strong" title={name}>
                <bdi>{name}</bdi>
              </span>
              <span className="truncate">{section ?? 'Without a heading'}</span>
            </div>
            <StateLabel state={state} />
          </li>
        ))}
      </ul>
    </section>
  )
}
