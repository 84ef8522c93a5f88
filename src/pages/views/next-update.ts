// When visitors can expect the next update of an open incident.
import { type Html, html } from '../../render/html.ts'
import type { PageIncident } from '../snapshot/snapshot.ts'
import { icon } from './drawings.ts'
import type { View } from './layout.ts'
import { timeTag } from './time-tag.ts'

// Placeholder for the time, whose position in the sentence depends on the language.
const PLACE = '\u0001'

export function renderNextUpdate(
  { format, snapshot }: View,
  { nextUpdateBy }: Pick<PageIncident, 'nextUpdateBy'>,
): Html {
  if (nextUpdateBy === null) return html``
  const isToday =
    format.daysSince(nextUpdateBy, snapshot.asOf) === format.daysSince(snapshot.asOf, snapshot.asOf)
  const time = isToday
    ? timeTag(nextUpdateBy, format.timeInZone(nextUpdateBy), 'z')
    : timeTag(nextUpdateBy, format.dayAndTime(nextUpdateBy, snapshot.asOf), 'd')
  const [before, after] = format.messages.nextUpdateBy(PLACE).split(PLACE)
  return html`<p class="next-update">${icon('bell')}<span>${before}${time}${after}</span></p>`
}
