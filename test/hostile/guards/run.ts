// node test/hostile/guards/run.ts [part of a guard's name]: removes each guard between organizations, one at a time,
// and runs the attack it protects against.
import { runPlants } from '../../private/guards/run-plants.ts'
import { PLANTS } from './plants.ts'

// Each attack is short, and compared with its own short quiet phase.
process.env['HOSTILE_QUIET_SECONDS'] ??= '15'
process.env['HOSTILE_SECONDS'] ??= '15'
process.env['HOSTILE_ATTEMPTS'] ??= '1'

const [wanted = ''] = process.argv.slice(2)
await runPlants(PLANTS.filter(({ guard }) => guard.includes(wanted)))
