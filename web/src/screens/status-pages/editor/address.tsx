import { CopyButton } from '../../../ui/copy.tsx'
import { TextInput } from '../../../ui/inputs.tsx'
import { Mark, type State, StateLabel } from '../../../ui/state.tsx'
import type { StatusPageView } from '../page.ts'
import { type PagePartProps, PartCard } from './fields.tsx'
import { type Base, isSaved, recordsOf } from './settings.ts'
import './address.css'

type DomainStatus = StatusPageView['customDomainStatus']

const DOMAIN_APPEARANCES = {
  NONE: { state: 'UNKNOWN', word: 'Not saved yet' },
  PENDING: { state: 'PENDING', word: 'Waiting for the record' },
  ACTIVE: { state: 'UP', word: 'Active' },
  FAILED: { state: 'DOWN', word: 'Record not found' },
} as const satisfies Record<DomainStatus, { state: State; word: string }>

const DOMAIN_HINTS: Record<DomainStatus, string> = {
  NONE: 'Save it, then set two records at your DNS provider; they are shown here.',
  PENDING: 'We look for the TXT record every minute. Until then readers use the address above.',
  ACTIVE: 'Keep the TXT record: three days without it end the domain.',
  FAILED:
    'The TXT record was not there for 48 hours. We check again every hour and remove the domain after 7 days.',
}

type AddressProps = PagePartProps & { page: Base }

export function Address({ page, settings, set, at }: AddressProps) {
  const domain = settings.customDomain ?? ''
  const isKept = isSaved(page) && domain !== '' && domain === page.customDomain
  // A domain that is typed but not saved is not being verified yet.
  const status = isKept ? page.customDomainStatus : 'NONE'
  const { state, word } = DOMAIN_APPEARANCES[status]
  return (
    <PartCard
      id="address"
      title="Address"
      beside={domain !== '' && <StateLabel state={state} word={word} />}
    >
      <TextInput
        label="Last part of the address"
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
        label="Your domain"
        optional
        maxLength={253}
        spellCheck={false}
        placeholder="status.example.com"
        hint={domain === '' ? 'Readers then need no other address.' : DOMAIN_HINTS[status]}
        problem={at('customDomain')}
        value={domain}
        onChange={(text) => set({ customDomain: text.trim() === '' ? null : text.trim() })}
      />
      {isKept && <Proof page={page} domain={domain} />}
    </PartCard>
  )
}

function slugHint(page: Base, slug: string): string {
  if (!isSaved(page)) return slug === '' ? 'Empty: made from the name.' : 'Unique in this service.'
  return slug === page.slug ? 'Unique in this service.' : 'The old address then answers 404.'
}

/** The DNS records that prove ownership and point to the page. Only the first is verified. */
function Proof({ page, domain }: { page: StatusPageView; domain: string }) {
  const { customDomainStatus: status } = page
  const isProven = status === 'ACTIVE'
  const records = recordsOf(page, domain, isProven ? '' : (URL.parse(page.url)?.hostname ?? ''))
  return (
    <>
      <ul className="records" aria-label="DNS records">
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
        <Check state={DOMAIN_APPEARANCES[status].state} title="Whose it is">
          {isProven
            ? 'The TXT record names this page.'
            : 'The TXT record has to name this page. A CNAME alone would prove too little.'}
        </Check>
        <Check state={isProven ? 'UP' : 'UNKNOWN'} title="Where it leads">
          {isProven
            ? 'Readers reach the page there; the first address goes on working.'
            : 'Then the page answers at the domain, with all of its addresses below.'}
        </Check>
      </ol>
    </>
  )
}

function Check({ state, title, children }: { state: State; title: string; children: string }) {
  return (
    <li>
      <Mark state={state} />
      <div>
        <b className="strong">{title}</b>
        <p>{children}</p>
      </div>
    </li>
  )
}
