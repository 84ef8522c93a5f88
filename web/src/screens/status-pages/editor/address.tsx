import { pageAddressText as TEXT } from '../../../messages/publishing/status-page-editor.ts'
import { CopyButton } from '../../../ui/copy.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { appearanceOf, Mark, type State, StateLabel } from '../../../ui/state.tsx'
import type { StatusPageView } from '../page.ts'
import { type PagePartProps, PartCard } from './fields.tsx'
import { type Base, isSaved, recordsOf } from './settings.ts'
import './address.css'

type DomainStatus = StatusPageView['customDomainStatus']

const DOMAIN_APPEARANCES = {
  NONE: { state: 'UNKNOWN', word: TEXT.states.NONE },
  PENDING: { state: 'PENDING', word: TEXT.states.PENDING },
  ACTIVE: { state: 'UP', word: TEXT.states.ACTIVE },
  FAILED: { state: 'DOWN', word: TEXT.states.FAILED },
} as const satisfies Record<DomainStatus, { state: State; word: string }>

const DOMAIN_HINTS: Record<DomainStatus, string> = TEXT.hints

type AddressProps = PagePartProps & { page: Base }

export function Address({ page, settings, set, at }: AddressProps) {
  const domain = settings.customDomain ?? ''
  const isKept = isSaved(page) && domain !== '' && domain === page.customDomain
  // A domain that is typed but not saved is not being verified yet.
  const status = isKept ? page.customDomainStatus : 'NONE'
  const { state, word } = DOMAIN_APPEARANCES[status]
  return (
    <PartCard id="address" beside={domain !== '' && <StateLabel state={state} word={word} />}>
      <TextInput
        label={TEXT.slug}
        optional={!isSaved(page)}
        className="mono"
        maxLength={63}
        spellCheck={false}
        hint={slugHint(page, settings.slug)}
        problem={at('slug')}
        value={settings.slug}
        onChange={(slug) => set({ slug: slug.trim() })}
      />
      <TextInput
        label={TEXT.domain}
        optional
        maxLength={253}
        spellCheck={false}
        placeholder="status.example.com"
        hint={domain === '' ? TEXT.domainHint : DOMAIN_HINTS[status]}
        problem={at('customDomain')}
        value={domain}
        onChange={(text) => set({ customDomain: text.trim() === '' ? null : text.trim() })}
      />
      {isKept && <Proof page={page} domain={domain} />}
    </PartCard>
  )
}

function slugHint(page: Base, slug: string): string {
  if (!isSaved(page)) return slug === '' ? TEXT.slugEmpty : TEXT.slugUnique
  return slug === page.slug ? TEXT.slugUnique : TEXT.slugChanged
}

/** The DNS records that prove ownership and point to the page. Only the first is verified. */
function Proof({ page, domain }: { page: StatusPageView; domain: string }) {
  const { customDomainStatus: status } = page
  const isProven = status === 'ACTIVE'
  const records = recordsOf(page, domain, isProven ? '' : (URL.parse(page.url)?.hostname ?? ''))
  return (
    <>
      <ul className="records" aria-label={TEXT.records}>
        {records
          .filter(({ value }) => value !== '')
          .map(({ type, name, value }) => (
            <li key={type}>
              <span className="type">{type}</span>
              <span className="mono wrap-any">{name}</span>
              <span className="mono wrap-any">{value}</span>
              <CopyButton text={value} />
            </li>
          ))}
      </ul>
      <ol className="checks">
        <Check state={DOMAIN_APPEARANCES[status].state} title={TEXT.verify.title}>
          {isProven ? TEXT.verify.done : TEXT.verify.todo}
        </Check>
        <Check state={isProven ? 'UP' : 'UNKNOWN'} title={TEXT.goLive.title}>
          {isProven ? TEXT.goLive.done : TEXT.goLive.todo}
        </Check>
      </ol>
    </>
  )
}

function Check({ state, title, children }: { state: State; title: string; children: string }) {
  return (
    <li className={appearanceOf(state).tone}>
      <Mark state={state} />
      <div>
        <b className="strong">{title}</b>
        <p>{children}</p>
      </div>
    </li>
  )
}
