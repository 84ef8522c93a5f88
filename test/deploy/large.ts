// Tests that take too long for CI run in `npm run long deploy`.
import { findObstacle, type Need } from './abilities.ts'

/** The reason to skip a test that belongs to `npm run long deploy`, or false if it runs. */
export function skipUnlessLong(need: Need): string | false {
  if (process.env['DEPLOY_LONG'] !== '1') return 'only in npm run long deploy'
  return findObstacle(need) ?? false
}
