// The body of a custom webhook: a text of the organization's choice in which placeholders stand for the alert. Whatever
// an alert says, the result keeps the form of its template.
import type { Problem } from '../values/problem.ts'
import { type Alert, alertText, closes, headline, opens, severityOf } from './alert.ts'

export const METHODS = ['POST', 'PUT', 'PATCH', 'GET'] as const
export const TEMPLATE_FORMATS = ['JSON', 'FORM', 'TEXT'] as const
export type TemplateFormat = (typeof TEMPLATE_FORMATS)[number]

// biome-ignore format: one line each would say no more
export const PLACEHOLDERS = [
  'id', 'kind', 'status', 'severity', 'thread', 'organization', 'headline', 'title', 'summary', 'text', 'open',
  'acknowledge', 'at',
] as const

/** What placeholders stand for. */
export type TemplateValues = Readonly<Record<(typeof PLACEHOLDERS)[number], string>>

/** `id` is the delivery's, so that receivers can detect duplicates. */
export function templateValues(alert: Alert, id: string): TemplateValues {
  const { kind, thread, organization, title, summary, links, at } = alert
  return {
    id,
    kind,
    status: statusOf(alert),
    severity: severityOf(alert),
    thread,
    organization,
    headline: headline(alert),
    title,
    summary,
    text: alertText(alert),
    open: links.open,
    acknowledge: links.acknowledge ?? '',
    at,
  }
}

/** As Alertmanager calls them; `info` neither opens nor closes anything. */
function statusOf(alert: Alert): string {
  if (opens(alert)) return 'firing'
  return closes(alert) ? 'resolved' : 'info'
}

const PLACEHOLDER = /\{\{ ?([a-z]{1,20}) ?\}\}/g
const NAMES: readonly string[] = PLACEHOLDERS
// Each may become a few kilobytes.
const MAX_PLACEHOLDERS = 50

const DEFAULTS: Readonly<Record<TemplateFormat, string>> = {
  JSON: `{${NAMES.map((name) => `"${name}":"{{${name}}}"`).join()}}`,
  FORM: NAMES.map((name) => `${name}={{${name}}}`).join('&'),
  TEXT: '{{headline}}\n{{text}}\n{{open}}\n',
}

/** A placeholder that stands for nothing would be sent as it is, and nobody would notice. */
export function bodyProblem(template: string): string | undefined {
  const found = [...template.matchAll(PLACEHOLDER)]
  if (found.length > MAX_PLACEHOLDERS) return `must have at most ${MAX_PLACEHOLDERS} placeholders`
  const unknown = found.find(([, name = '']) => !NAMES.includes(name))
  return unknown && `has no placeholder ${unknown[0]}`
}

/** Whether the body has the form that is announced. */
export function templateProblems({ body, format }: Readonly<Record<string, unknown>>): Problem[] {
  if (typeof body !== 'string' || body === '') return []
  const message = formProblem(body, toFormat(format))
  return message === undefined ? [] : [{ path: 'settings.body', message }]
}

function formProblem(template: string, format: TemplateFormat): string | undefined {
  if (format === 'JSON') return isJson(template) ? undefined : 'must be JSON'
  const rest = template.replaceAll(PLACEHOLDER, '')
  if (format === 'TEXT' || FORM.test(rest)) return undefined
  return 'must be fields such as title={{title}}&at={{at}}'
}

// One line of ASCII without blanks; everything else must be percent-encoded.
const FORM = /^[\x21-\x7e]*$/

const toFormat = (format: unknown): TemplateFormat =>
  TEMPLATE_FORMATS.find((one) => one === format) ?? 'JSON'

/** An empty template stands for everything there is to say. */
export function fillTemplate(
  template: string | null,
  format: TemplateFormat,
  values: TemplateValues,
): string {
  const encode = ENCODERS[format]
  return fill(template ?? DEFAULTS[format], values, encode)
}

/** Also used for headers. Placeholders without a value stay as they are. */
export function fill(
  template: string,
  values: TemplateValues,
  encode: (value: string) => string,
): string {
  const known: Readonly<Record<string, string>> = values
  return template.replaceAll(PLACEHOLDER, (whole, name: string) => {
    const value = Object.hasOwn(known, name) ? known[name] : undefined
    return value === undefined ? whole : encode(value)
  })
}

// In valid JSON two braces in a row can only be inside a string, so the value is escaped like the inside of one.
const ENCODERS: Readonly<Record<TemplateFormat, (value: string) => string>> = {
  JSON: (value) => JSON.stringify(value).slice(1, -1),
  FORM: (value) => encodeURIComponent(value.toWellFormed()),
  TEXT: (value) => value.toWellFormed().replaceAll(CONTROL, ' '),
}
const CONTROL = /[^\P{Cc}\n\t]/gu

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}
