// The additional headers of a webhook, as the lines that a custom webhook of Upvane takes.
import type { ItemDraft } from '../common/draft.ts'
import { jsonOf, type SourceRow, textOf, toPlainText, toRow } from '../common/values.ts'

const MAX_HEADERS = 20
const MAX_VALUE = 1024
const MAX_LINES = 2048
const NAME = /^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,64}$/
const VALUE = /^[\x20-\x7e]*$/
const BY_CONNECTION: ReadonlySet<string> = new Set([
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'user-agent',
])

/** Headers that Upvane cannot send are reported by name. */
export function webhookHeaders(draft: ItemDraft, config: SourceRow): string {
  const given = textOf(config, 'webhookAdditionalHeaders')
  if (given === '') return ''
  const headers = Object.entries(toRow(jsonOf(config, 'webhookAdditionalHeaders')))
  if (headers.length === 0)
    draft.drop('webhookAdditionalHeaders', 'a value', 'It is not JSON with headers.')
  const lines: string[] = []
  let size = 0
  for (const [name, each] of headers) {
    const value = toPlainText(each).trim()
    const line = `${name}: ${value}`
    const isSent = isSendable(name, value) && lines.length < MAX_HEADERS
    if (isSent && size + line.length < MAX_LINES) {
      lines.push(line)
      size += line.length + 1
    } else
      draft.drop(
        `header ${name.slice(0, 80)}`,
        'a value',
        'A custom webhook of Upvane cannot send it.',
      )
  }
  return lines.join('\n')
}

// Two braces begin a placeholder.
const isSendable = (name: string, value: string): boolean =>
  NAME.test(name) &&
  !BY_CONNECTION.has(name.toLowerCase()) &&
  VALUE.test(value) &&
  value.length <= MAX_VALUE &&
  !value.includes('{{')
