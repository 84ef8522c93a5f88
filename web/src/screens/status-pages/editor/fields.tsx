// The settings of a page, one card each. Each field shows the server's problem with it.
import type { ReactNode } from 'react'
import { LOCALES } from '../../../../../src/domain/values/locale.ts'
import {
  editorText,
  pageFieldsText as TEXT,
} from '../../../messages/publishing/status-page-editor.ts'
import { zoneOptions } from '../../../time/zone-options.ts'
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
  id: keyof typeof editorText.parts
  /** Instead of its name among the sections. */
  title?: string
  beside?: ReactNode
  className?: string
  children: ReactNode
}

export function PartCard({ id, title, beside, className = '', children }: CardProps) {
  return (
    <section className={`card ${className}`} id={id} aria-labelledby={`h-${id}`}>
      <header>
        <h2 id={`h-${id}`}>{title ?? editorText.parts[id]}</h2>
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
    <PartCard id="page">
      <TextInput
        label={TEXT.name}
        required
        autoFocus={autoFocus}
        maxLength={120}
        problem={at('name')}
        value={settings.name}
        onChange={(name) => set({ name })}
      />
      <TextArea
        label={TEXT.tagline}
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
  { value: 'SYSTEM', label: TEXT.themes.SYSTEM },
  { value: 'LIGHT', label: TEXT.themes.LIGHT },
  { value: 'DARK', label: TEXT.themes.DARK },
] as const

export function Brand(props: PagePartProps) {
  const { settings, set, at } = props
  return (
    <PartCard id="brand">
      <UrlInput {...props} name="logoUrl" label={TEXT.logo} hint={TEXT.logoHint} />
      <div className="form-2">
        <UrlInput {...props} name="homepageUrl" label={TEXT.logoLink} />
        <UrlInput {...props} name="supportUrl" label={TEXT.support} />
      </div>
      <UrlInput {...props} name="faviconUrl" label={TEXT.favicon} />
      <div className="form-2">
        <Accent {...props} />
        <ThemePick {...props} />
      </div>
      <div className="form-2">
        <SelectInput
          label={TEXT.language}
          options={LANGUAGE_OPTIONS}
          problem={at('locale')}
          // Safe because a page has no other locale.
          value={settings.locale as (typeof LOCALES)[number]}
          onChange={(locale) => set({ locale })}
        />
        <SelectInput
          label={TEXT.zone}
          hint={TEXT.zoneHint}
          options={zoneOptions(settings.timezone)}
          problem={at('timezone')}
          value={settings.timezone}
          onChange={(timezone) => set({ timezone })}
        />
      </div>
    </PartCard>
  )
}

const HEX = /^#[0-9a-f]{6}$/i
const OURS = '#5443d2'

function Accent({ settings, set, at }: PagePartProps) {
  const { accentColor } = settings
  return (
    <Field label={TEXT.accent} optional hint={TEXT.accentHint} problem={at('accentColor')}>
      {(control) => (
        <div className="swatch">
          <input
            type="color"
            aria-label={TEXT.pickAccent}
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
      <legend className="label">{TEXT.theme}</legend>
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
    <PartCard id="history">
      <TextInput
        label={TEXT.days}
        type="number"
        min={7}
        max={365}
        hint={TEXT.daysHint}
        problem={at('historyDays')}
        value={Number.isNaN(settings.historyDays) ? '' : String(settings.historyDays)}
        onChange={(text) => set({ historyDays: text === '' ? Number.NaN : Number(text) })}
      />
      <Choice
        as="switch"
        checked={settings.showUptime}
        onChange={(showUptime) => set({ showUptime })}
        label={TEXT.uptime}
        hint={TEXT.uptimeHint}
      />
      <Choice
        as="switch"
        checked={settings.showResponseTime}
        onChange={(showResponseTime) => set({ showResponseTime })}
        label={TEXT.responseTimes}
        hint={TEXT.responseTimesHint}
      />
    </PartCard>
  )
}
