// What takes too long for CI runs in `npm run long deploy`.
import { findObstacle, type Need } from './abilities.ts'

/** The reason to skip a test that belongs to `npm run long deploy`; false when it runs. */
export function skipUnlessLong(need: Need): string | false {
  if (process.env['DEPLOY_LONG'] !== '1') return 'only in npm run long deploy'
  return findObstacle(need) ?? false
}
