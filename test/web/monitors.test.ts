// The main tasks of every screen, in one browser against one running product; the parts are in `tasks`.
import { after, before } from 'node:test'
import { startExternalServices } from './external-services.ts'
import { startWebFixture } from './fixture.ts'
import { testActions } from './tasks/actions.ts'
import { testAddresses } from './tasks/addresses.ts'
import { testChannels } from './tasks/channels.ts'
import { testEscalation } from './tasks/escalation.ts'
import { testEveryScreen } from './tasks/every-screen.ts'
import { testEvidence } from './tasks/evidence.ts'
import { testFleet } from './tasks/fleet.ts'
import { testList } from './tasks/list.ts'
import { testManaged } from './tasks/managed.ts'
import { testMonitors } from './tasks/monitors.ts'
import { testOrganization } from './tasks/organization.ts'
import { testOrganizationSettings } from './tasks/organization-settings.ts'
import { testPeople } from './tasks/people.ts'
import { testServed } from './tasks/served.ts'
import type { Shared } from './tasks/shared.ts'
import { testWelcome } from './tasks/welcome.ts'

// Filled before the first test; tests read it when they run.
const shared = {} as Shared

before(async () => {
  shared.out = await startExternalServices()
  shared.fixture = await startWebFixture({ command: 'start', env: shared.out.env })
})
after(async () => {
  await shared.fixture?.stop()
  await shared.out?.close()
})

testServed(shared)
testWelcome(shared)
testMonitors(shared)
testList(shared)
testFleet(shared)
testActions(shared)
testManaged(shared)
testOrganization(shared)
testEscalation(shared)
testEvidence(shared)
testOrganizationSettings(shared)
testChannels(shared)
testPeople(shared)
testAddresses(shared)
testEveryScreen(shared)
