// The main tasks with settings and people, in one browser against one running product, then a visit to every screen; the
// parts are in `settings`.
import { testAddresses } from './settings/addresses.ts'
import { testChannels } from './settings/channels.ts'
import { testEscalation } from './settings/escalation.ts'
import { testEveryScreen } from './settings/every-screen.ts'
import { testOrganization } from './settings/organization.ts'
import { testOrganizationSettings } from './settings/organization-settings.ts'
import { testPeople } from './settings/people.ts'
import { shareProduct } from './shared.ts'

const shared = shareProduct()

testOrganization(shared)
testEscalation(shared)
testOrganizationSettings(shared)
testChannels(shared)
testPeople(shared)
testAddresses(shared)
testEveryScreen(shared)
