// Where compiled sources are kept. A run of tests starts hundreds of processes, and most of what each would do first is
// to strip and compile the same files again.
import { join } from 'node:path'

/** For the environment of every process that is started. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
}
