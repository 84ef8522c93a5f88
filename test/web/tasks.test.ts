// Every screen's main tasks, in one browser against one running product: its parts lie in `tasks`.
import { after, before } from 'node:test'
import { startWebBench } from './bench.ts'
import { startSurroundings } from './surroundings.ts'
import { testEveryScreen } from './tasks/every-screen.ts'
import { testMonitors } from './tasks/monitors.ts'
import { testPeople } from './tasks/people.ts'
import type { Shared } from './tasks/shared.ts'

// Filled before the first test; tests read it when they run.
const shared = {} as Shared

before(async () => {
  shared.out = await startSurroundings()
  shared.bench = await startWebBench({ command: 'start', env: shared.out.env })
})
after(async () => {
  await shared.bench?.stop()
  await shared.out?.close()
})

testMonitors(shared)
testPeople(shared)
testEveryScreen(shared)
