// Which regions are expected to have a probe: those that the database knows one of, not all that were ever heard.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as delay } from 'node:timers/promises'
import { type DbFixture, startDbFixture } from '../../../test/db-kit/db-fixture.ts'
import { sampleSettings } from '../../../test/samples/monitor.ts'
import { createMonitor } from '../../actions/monitors/create.ts'
import { createLocalBus } from '../../bus/local-bus.ts'
import { openLog } from '../../platform/observability/log.ts'
import { findRegionStatus, recordProbes, removeProbes } from '../../store/operating/probes.ts'
import { startProbeWatch } from './probe-watch.ts'

const SILENT_MS = 7_000

let fixture: DbFixture
before(async () => {
  fixture = await startDbFixture()
})
after(() => fixture.stop())

test('a region whose last probe was revoked or removed is not missed', async () => {
  const { engine: database, tenants, createOrganization } = await fixture.openDatabase()
  const orgId = await createOrganization()
  await tenants.transaction(orgId, (tx) => createMonitor(tx, sampleSettings()))
  const { log } = openLog('silent')
  const bus = createLocalBus({ onError: () => {} })
  const open = () => startProbeWatch({ bus, database, log })
  const announce = (region: string) =>
    bus.announce({ region, probe: 'p', capacity: 1, inFlight: 0, can: ['HTTP'] })
  const subjectsOf = (watch: Awaited<ReturnType<typeof open>>) =>
    watch.findings().map(({ code, subject }) => `${code} ${subject}`)

  await recordProbes(database, [{ region: 'eu', probe: 'p' }])
  const expecting = await open()
  announce('us')
  await delay(100)
  assert.deepEqual(subjectsOf(expecting), ['NO_PROBE eu'])
  await expecting.stop()

  assert.equal((await findRegionStatus(database, 'eu'))?.hasProbes, true)
  await removeProbes(database, 'eu')
  assert.equal((await findRegionStatus(database, 'eu'))?.hasProbes, false)
  const watch = await open()
  announce('eu')
  announce('us')
  await delay(SILENT_MS)
  announce('us')
  await delay(100)
  assert.deepEqual(subjectsOf(watch), [])
  await watch.stop()
  await bus.close()
})
