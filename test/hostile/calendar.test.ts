import { assault } from './assault.ts'

assault('Calendar: 400 daily windows, read without end, hold up nobody', {
  attack: 'calendar',
  atLeast: { 'calendar 200': 5, 'windows ': 10 },
})
