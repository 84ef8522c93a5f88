import { area } from '../area.ts'
import * as english from '../en/connections/webhooks.ts'
import type { FieldSentences } from '../field-problems.ts'
import { URL_SAYS } from './urls.ts'

const texts = area(english)
export const { webhooksText, endpointText, endpointFormText, deliveriesText, deliveryText } = texts
export const endpointSentences: FieldSentences = {
  ...texts.endpointSentences,
  url: { ...texts.endpointSentences.url, says: URL_SAYS },
}
