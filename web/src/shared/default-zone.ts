import { useOrganization } from '../session/organization.ts'
import { VIEWER_ZONE } from '../time/viewer.ts'

/** The time zone that new things start with: the organization's, or else the viewer's. */
export const useDefaultZone = (): string => useOrganization().timezone ?? VIEWER_ZONE
