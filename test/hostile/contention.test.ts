import { assault } from './assault.ts'

assault('Writes: 200 at once with the keys of one organization hold up nobody', {
  attack: 'writes',
  atLeast: { 'write 200': 100 },
})

assault('Passwords: 60 changes of a page at once hold up nobody', {
  attack: 'passwords',
  atLeast: { 'passwords ': 60, 'passwords 200': 10 },
})

assault('One row: 100 changes of one page at once hold up nobody', {
  attack: 'names',
  atLeast: { 'names 200': 20, 'names 429': 1 },
})
