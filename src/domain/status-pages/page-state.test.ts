import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { MonitorState } from '../monitors/monitor.ts'
import { type AffectedState, type ComponentState, componentState, pageState } from './page-state.ts'

type Row = [
  monitor: MonitorState | null,
  inWindow: boolean,
  manual: ComponentState | null,
  incidents: AffectedState[],
  shown: ComponentState,
]

// biome-ignore format: a table is read by its columns
const rows: Row[] = [
  // monitor    window  manual           incidents                        shown
  ['UP',        false,  null,            [],                              'OPERATIONAL'],
  ['DEGRADED',  false,  null,            [],                              'DEGRADED'],
  ['DOWN',      false,  null,            [],                              'MAJOR_OUTAGE'],
  ['PENDING',   false,  null,            [],                              'UNKNOWN'],
  ['PAUSED',    false,  null,            [],                              'UNKNOWN'],
  ['UP',        true,   null,            [],                              'MAINTENANCE'],
  ['DEGRADED',  true,   null,            [],                              'MAINTENANCE'],
  ['DOWN',      true,   null,            [],                              'MAINTENANCE'],
  ['PENDING',   true,   null,            [],                              'MAINTENANCE'],
  ['PAUSED',    true,   null,            [],                              'MAINTENANCE'],
  ['UP',        false,  null,            ['OPERATIONAL'],                 'OPERATIONAL'],
  ['UP',        false,  null,            ['DEGRADED'],                    'DEGRADED'],
  ['UP',        false,  null,            ['PARTIAL_OUTAGE'],              'PARTIAL_OUTAGE'],
  ['UP',        false,  null,            ['MAJOR_OUTAGE'],                'MAJOR_OUTAGE'],
  ['UP',        false,  null,            ['DEGRADED', 'MAJOR_OUTAGE'],    'MAJOR_OUTAGE'],
  ['UP',        false,  null,            ['MAJOR_OUTAGE', 'OPERATIONAL'], 'MAJOR_OUTAGE'],
  ['DEGRADED',  false,  null,            ['OPERATIONAL'],                 'DEGRADED'],
  ['DEGRADED',  false,  null,            ['PARTIAL_OUTAGE'],              'PARTIAL_OUTAGE'],
  ['DOWN',      false,  null,            ['OPERATIONAL'],                 'MAJOR_OUTAGE'],
  ['DOWN',      false,  null,            ['PARTIAL_OUTAGE'],              'MAJOR_OUTAGE'], // only what is worse counts
  ['PAUSED',    false,  null,            ['OPERATIONAL'],                 'UNKNOWN'], // still not checked
  ['PAUSED',    false,  null,            ['DEGRADED'],                    'DEGRADED'],
  ['PENDING',   false,  null,            ['MAJOR_OUTAGE'],                'MAJOR_OUTAGE'],
  ['UP',        true,   null,            ['OPERATIONAL'],                 'MAINTENANCE'],
  ['DOWN',      true,   null,            ['DEGRADED'],                    'DEGRADED'], // worse than planned work
  ['UP',        true,   null,            ['MAJOR_OUTAGE'],                'MAJOR_OUTAGE'],
  [null,        false,  null,            [],                              'OPERATIONAL'],
  [null,        false,  'OPERATIONAL',   [],                              'OPERATIONAL'],
  [null,        false,  'DEGRADED',      [],                              'DEGRADED'],
  [null,        false,  'PARTIAL_OUTAGE',[],                              'PARTIAL_OUTAGE'],
  [null,        false,  'MAJOR_OUTAGE',  [],                              'MAJOR_OUTAGE'],
  [null,        false,  'MAINTENANCE',   [],                              'MAINTENANCE'],
  [null,        false,  'UNKNOWN',       [],                              'UNKNOWN'],
  [null,        false,  'DEGRADED',      ['MAJOR_OUTAGE'],                'MAJOR_OUTAGE'],
  [null,        false,  'MAJOR_OUTAGE',  ['DEGRADED'],                    'MAJOR_OUTAGE'],
]

for (const [monitorState, inWindow, manualState, incidentStates, shown] of rows)
  test(`component: ${monitorState ?? `by hand ${manualState}`}${inWindow ? ' in a window' : ''}, incidents [${incidentStates}] -> ${shown}`, () => {
    const sources = { monitorState, inWindow, manualState, incidentStates }
    assert.equal(componentState(sources), shown)
  })

// biome-ignore format: a table is read by its columns
const pages: [states: ComponentState[], page: ComponentState][] = [
  [[],                                              'UNKNOWN'],
  [['UNKNOWN', 'UNKNOWN'],                          'UNKNOWN'],
  [['OPERATIONAL', 'OPERATIONAL'],                  'OPERATIONAL'],
  [['OPERATIONAL', 'UNKNOWN'],                      'OPERATIONAL'],
  [['MAJOR_OUTAGE'],                                'MAJOR_OUTAGE'],
  [['MAJOR_OUTAGE', 'MAJOR_OUTAGE'],                'MAJOR_OUTAGE'],
  [['MAJOR_OUTAGE', 'UNKNOWN'],                     'MAJOR_OUTAGE'], // everything that is known
  [['MAJOR_OUTAGE', 'OPERATIONAL'],                 'PARTIAL_OUTAGE'],
  [['MAJOR_OUTAGE', 'DEGRADED'],                    'PARTIAL_OUTAGE'],
  [['MAJOR_OUTAGE', 'PARTIAL_OUTAGE'],              'PARTIAL_OUTAGE'],
  [['MAJOR_OUTAGE', 'MAINTENANCE'],                 'PARTIAL_OUTAGE'],
  [['PARTIAL_OUTAGE'],                              'PARTIAL_OUTAGE'],
  [['PARTIAL_OUTAGE', 'OPERATIONAL', 'UNKNOWN'],    'PARTIAL_OUTAGE'],
  [['DEGRADED', 'OPERATIONAL'],                     'DEGRADED'],
  [['DEGRADED', 'MAINTENANCE'],                     'DEGRADED'],
  [['DEGRADED'],                                    'DEGRADED'],
  [['MAINTENANCE', 'OPERATIONAL'],                  'MAINTENANCE'],
  [['MAINTENANCE', 'UNKNOWN'],                      'MAINTENANCE'],
  [['MAINTENANCE'],                                 'MAINTENANCE'],
]

for (const [states, page] of pages)
  test(`page: [${states.join(', ')}] -> ${page}`, () => assert.equal(pageState(states), page))
