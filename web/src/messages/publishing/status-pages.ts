import { area } from '../area.ts'
import * as english from '../en/publishing/status-pages.ts'

export const { statusPagesText, subscribersText, previewText } = area(english)
