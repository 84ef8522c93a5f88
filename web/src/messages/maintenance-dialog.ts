import { area } from './area.ts'
import * as english from './en/maintenance-dialog.ts'

export const { maintenanceDialogText } = area(english)
