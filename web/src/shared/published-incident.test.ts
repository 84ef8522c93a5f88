import assert from 'node:assert/strict'
import { test } from 'node:test'
import { stateOfIncident } from './published-incident.ts'

test('the worst component gives the look, then the impact, and what is resolved is well', () => {
  const components = [
    { componentId: 'a', state: 'DEGRADED' as const },
    { componentId: 'b', state: 'PARTIAL_OUTAGE' as const },
  ]
  const impact = 'CRITICAL' as const
  assert.equal(stateOfIncident({ status: 'IDENTIFIED', impact, components }), 'PARTIAL_OUTAGE')
  assert.equal(stateOfIncident({ status: 'RESOLVED', impact, components }), 'OPERATIONAL')
  assert.equal(stateOfIncident({ status: 'MONITORING', impact, components: [] }), 'MAJOR_OUTAGE')
})
