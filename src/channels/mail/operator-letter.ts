// What the operator is told of the installation itself.
import { layOut } from './layout.ts'
import type { Letter } from './letters.ts'
import { markup } from './markup.ts'
import { formatTime } from './times.ts'

const PRODUCT = 'Upvane'
const LOCALE = 'en'

export type OperatorNews = {
  baseUrl: string
  /** Empty: it is over. */
  troubles: readonly string[]
  since: Date
}

export function operatorLetter({ baseUrl, troubles, since }: OperatorNews): Letter {
  const isOver = troubles.length === 0
  const { host } = new URL(baseUrl)
  const heading = `${PRODUCT} at ${host} ${isOver ? 'works again' : 'does not do its work'}`
  const from = formatTime(since.toISOString(), { locale: LOCALE, timezone: 'UTC' })
  const advice = isOver
    ? 'What was missed meanwhile is caught up on or written down as missed.'
    : 'Outages may not be noticed or told until this is mended. Look at the log and at /readyz of its processes.'
  const why = 'You get this because you are named as the operator of this installation.'
  const html = layOut({
    lang: LOCALE,
    pageName: PRODUCT,
    preview: markup`${isOver ? advice : troubles.join('. ')}`,
    tone: isOver ? 'UP' : 'DOWN',
    heading,
    line: { strong: isOver ? 'Over' : 'Trouble', more: `since ${from}` },
    body: markup`<p style="margin:0 0 12px">${advice}</p>`,
    rows: troubles.map((trouble) => ({ label: 'What', value: markup`${trouble}` })),
    button: { label: `Open ${PRODUCT}`, url: baseUrl },
    footer: markup`${why}`,
  })
  const parts = [heading, troubles.join('\n'), `Since: ${from}`, advice, baseUrl, `-- \n${why}`]
  const text = parts.filter((part) => part !== '').join('\n\n')
  return { locale: LOCALE, subject: `${isOver ? '✓' : '✕'} ${heading}`, html, text: `${text}\n` }
}
