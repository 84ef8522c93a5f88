// Reading calendars is the most expensive request there is: on a quiet machine `/livez` takes up to 83 of the usual 100 ms
// meanwhile, and on one half as fast up to 186; a list of another organization has a p99 of 94 to 115 ms. The bounds leave
// room for such a machine.
import { assault } from './assault.ts'

assault('Calendar: 400 daily windows, read without end, hold up nobody', {
  attack: 'calendar',
  bounds: { maxP99Ms: 250, maxLivezMs: 200, timesQuiet: 10, allowedP99Ms: 200 },
  atLeast: { 'calendar 200': 5, 'windows ': 10 },
})
