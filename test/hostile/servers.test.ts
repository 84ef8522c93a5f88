import { assault } from './assault.ts'

assault('Servers: hostile targets, registries and receivers of one organization hold up nobody', {
  attack: 'servers',
  atLeast: { 'check ': 14, 'whois 200': 7, 'event 200': 10 },
})
