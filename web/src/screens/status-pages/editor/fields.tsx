// The settings of a page, one card each. Each field shows the server's problem with it.
import type { ReactNode } from 'react'
import { LOCALES } from '../../../../../src/domain/values/locale.ts'
import { Choice, Field } from '../../../ui/field.tsx'
import { SelectInput, TextArea, TextInput } from '../../../ui/inputs.tsx'
import type { Settings } from './settings.ts'
import '../../../ui/form.css'
import './editor.css'

export type PagePartProps = {
  settings: Settings
  set: (change: Partial<Settings>) => void
  at: (path: string) => string | undefined
}

type CardProps = {
  id: string
  title: string
  beside?: ReactNode
  className?: string
  children: ReactNode
}

export function PartCard({ id, title, beside, className = '', children }: CardProps) {
  return (
    <section className={`card ${className}`} id={id} aria-labelledby={`h-${id}`}>
      <header>
        <h2 id={`h-${id}`}>{title}</h2>
        {beside}
      </header>
      <div className="card-body stack">{children}</div>
    </section>
  )
}

type Nullable = 'logoUrl' | 'faviconUrl' | 'homepageUrl' | 'supportUrl'
type UrlProps = PagePartProps & { name: Nullable; label: string; hint?: string }

function UrlInput({ name, label, hint, settings, set, at }: UrlProps) {
  return (
    <TextInput
      label={label}
      optional
      {...(hint !== undefined && { hint })}
      inputMode="url"
      spellCheck={false}
      placeholder="https://"
      problem={at(name)}
      value={settings[name] ?? ''}
      onChange={(text) => set({ [name]: text.trim() === '' ? null : text.trim() })}
    />
  )
}

export function Basics({ settings, set, at, autoFocus }: PagePartProps & { autoFocus: boolean }) {
  return (
    <PartCard id="page" title="Page">
      <TextInput
        label="Name"
        required
        autoFocus={autoFocus}
        maxLength={120}
        problem={at('name')}
        value={settings.name}
        onChange={(name) => set({ name })}
      />
      <TextArea
        label="Text below the name"
        optional
        rows={2}
        maxLength={2000}
        problem={at('description')}
        value={settings.description ?? ''}
        onChange={(text) => set({ description: text === '' ? null : text })}
      />
    </PartCard>
  )
}

const LANGUAGES = { en: 'English', de: 'Deutsch', fr: 'Français', es: 'Español', ja: '日本語' }
const LANGUAGE_OPTIONS = LOCALES.map((value) => ({ value, label: LANGUAGES[value] }))
const THEMES = [
  { value: 'SYSTEM', label: 'System' },
  { value: 'LIGHT', label: 'Light' },
  { value: 'DARK', label: 'Dark' },
] as const

export function Brand(props: PagePartProps) {
  const { settings, set, at } = props
  return (
    <PartCard id="brand" title="Brand">
      <UrlInput {...props} name="logoUrl" label="Logo address" hint="From https:// only." />
      <div className="form-2">
        <UrlInput {...props} name="homepageUrl" label="Where the logo leads" />
        <UrlInput {...props} name="supportUrl" label="Where readers get help" />
      </div>
      <UrlInput {...props} name="faviconUrl" label="Icon in the browser tab" />
      <div className="form-2">
        <Accent {...props} />
        <ThemePick {...props} />
      </div>
      <div className="form-2">
        <SelectInput
          label="Language"
          options={LANGUAGE_OPTIONS}
          problem={at('locale')}
          // Safe because a page has no other locale.
          value={settings.locale as (typeof LOCALES)[number]}
          onChange={(locale) => set({ locale })}
        />
        <SelectInput
          label="Time zone"
          hint="Its days are the bars."
          options={zonesWith(settings.timezone)}
          problem={at('timezone')}
          value={settings.timezone}
          onChange={(timezone) => set({ timezone })}
        />
      </div>
    </PartCard>
  )
}

function zonesWith(zone: string): { value: string; label: string }[] {
  const known = ['UTC', ...Intl.supportedValuesOf('timeZone')]
  return [...new Set([zone, ...known])].map((value) => ({ value, label: value }))
}

const HEX = /^#[0-9a-f]{6}$/i
const OURS = '#5443d2'

function Accent({ settings, set, at }: PagePartProps) {
  const { accentColor } = settings
  return (
    <Field
      label="Accent"
      optional
      hint="Moved until it can be read on light and on dark."
      problem={at('accentColor')}
    >
      {(control) => (
        <div className="swatch">
          <input
            type="color"
            aria-label="Pick the accent"
            value={accentColor !== null && HEX.test(accentColor) ? accentColor : OURS}
            onChange={(event) => set({ accentColor: event.currentTarget.value })}
          />
          <input
            {...control}
            className="input mono"
            maxLength={7}
            spellCheck={false}
            placeholder={OURS}
            value={accentColor ?? ''}
            onChange={({ currentTarget: { value } }) =>
              set({ accentColor: value.trim() === '' ? null : value.trim() })
            }
          />
        </div>
      )}
    </Field>
  )
}

function ThemePick({ settings, set }: PagePartProps) {
  return (
    <fieldset className="plain field">
      <legend className="label">Theme</legend>
      <div className="segment">
        {THEMES.map(({ value, label }) => (
          <button
            key={value}
            type="button"
            aria-pressed={settings.theme === value}
            onClick={() => set({ theme: value })}
          >
            {label}
          </button>
        ))}
      </div>
    </fieldset>
  )
}

export function History({ settings, set, at }: PagePartProps) {
  return (
    <PartCard id="history" title="History">
      <TextInput
        label="Days shown"
        type="number"
        min={7}
        max={365}
        hint="From 7 to 365. Phones show the newer half."
        problem={at('historyDays')}
        value={Number.isNaN(settings.historyDays) ? '' : String(settings.historyDays)}
        onChange={(text) => set({ historyDays: text === '' ? Number.NaN : Number(text) })}
      />
      <Choice
        as="switch"
        checked={settings.showUptime}
        onChange={(showUptime) => set({ showUptime })}
        label="Show uptime"
        hint="In percent, with two decimals."
      />
      <Choice
        as="switch"
        checked={settings.showResponseTime}
        onChange={(showResponseTime) => set({ showResponseTime })}
        label="Show response times"
        hint="The middle of the last day."
      />
    </PartCard>
  )
}
