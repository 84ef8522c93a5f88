// node test/private/guards/run.ts [part of a guard's name]: removes each guard of signing in and of roles, one at a
// time.
import { PLANTS } from './plants.ts'
import { runPlants } from './run-plants.ts'

const [wanted = ''] = process.argv.slice(2)
await runPlants(PLANTS.filter(({ guard }) => guard.includes(wanted)))
