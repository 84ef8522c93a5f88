// A window for tests: 14 November 2026 from two to three, created the day before.
import type { MaintenanceWindow } from '../../src/domain/maintenance/window.ts'

export function sampleWindow(fields: Partial<MaintenanceWindow> = {}): MaintenanceWindow {
  const startsAt = new Date('2026-11-14T02:00:00Z')
  const endsAt = new Date('2026-11-14T03:00:00Z')
  const madeAt = new Date('2026-11-13T02:00:00Z')
  return {
    uuid: '019d0000-0000-7000-8000-000000000001',
    name: 'Window',
    description: null,
    startsAt,
    endsAt,
    timezone: 'UTC',
    recurrence: null,
    allMonitors: false,
    monitorUuids: ['019d0000-0000-7000-8000-00000000000a'],
    pageUuids: [],
    showOnStatusPages: true,
    notifySubscribers: false,
    onNamedPages: false,
    occurrence: { startsAt, endsAt },
    covered: false,
    started: false,
    countsFrom: madeAt,
    createdAt: madeAt,
    updatedAt: madeAt,
    ...fields,
  }
}
