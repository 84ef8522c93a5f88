import assert from 'node:assert/strict'
import { test } from 'node:test'
import { severityLabel, stateOfIncident } from './published-incident.ts'

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

test('an incident is called like the worst of its components, or else like the state of its impact', () => {
  const outage = [{ componentId: 'a', state: 'MAJOR_OUTAGE' as const }]
  assert.equal(severityLabel({ impact: 'MAJOR', components: outage }), 'Major outage')
  assert.equal(severityLabel({ impact: 'MAJOR', components: [] }), 'Partial outage')
  assert.equal(severityLabel({ impact: 'NONE', components: [] }), 'No impact')
})
