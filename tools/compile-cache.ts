// Where compiled sources are cached. A test run starts hundreds of processes, and each would spend most of its startup
// stripping and compiling the same files.
import { join } from 'node:path'

/** For the environment of every child process. */
export const COMPILE_CACHE = {
  NODE_COMPILE_CACHE: join(import.meta.dirname, '../node_modules/.cache/compiled'),
}
