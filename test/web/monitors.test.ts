// The main tasks with monitors, in one browser against one running product; the parts are in `monitors`.
import { testActions } from './monitors/actions.ts'
import { testConnection } from './monitors/connection.ts'
import { testEvidence } from './monitors/evidence.ts'
import { testExpiring } from './monitors/expiring.ts'
import { testFleet } from './monitors/fleet.ts'
import { testList } from './monitors/list.ts'
import { testManaged } from './monitors/managed.ts'
import { testMonitors } from './monitors/monitors.ts'
import { testRegions } from './monitors/regions.ts'
import { testServed } from './monitors/served.ts'
import { testWelcome } from './monitors/welcome.ts'
import { shareProduct } from './shared.ts'

const shared = shareProduct()

testServed(shared)
testWelcome(shared)
testMonitors(shared)
testList(shared)
testConnection(shared)
testExpiring(shared)
testFleet(shared)
testActions(shared)
testManaged(shared)
testRegions(shared)
testEvidence(shared)
