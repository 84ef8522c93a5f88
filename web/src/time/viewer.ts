// Where the viewer is, by their browser.
import { currentZoneName } from './zone-names.ts'

export const VIEWER_ZONE = currentZoneName(Intl.DateTimeFormat().resolvedOptions().timeZone)
