import { assault } from './assault.ts'

assault('Everything at once: one organization at its worst for 30 s holds up nobody', {
  attack: 'together',
  leastSeconds: 30,
  atLeast: {
    'draft ': 20,
    'write ': 200,
    'passwords ': 60,
    connected: 800,
    'calendar ': 8,
    'stream ': 1_000,
  },
})
