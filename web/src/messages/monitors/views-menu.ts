import { area } from '../area.ts'
import * as english from '../en/monitors/views-menu.ts'

export const { viewsMenuText } = area(english)
