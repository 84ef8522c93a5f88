import { area } from './area.ts'
import * as english from './en/settings.ts'

export const {
  profileText,
  timezoneText,
  factorRuleText,
  deletionText,
  closedText,
  factorNoteText,
  settingsText,
} = area(english)
