import { area } from '../area.ts'
import * as english from '../en/connections/urls.ts'

export const { URL_SAYS } = area(english)
