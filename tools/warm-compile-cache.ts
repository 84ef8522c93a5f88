// Compiles the service and the command line once into the cache that all processes of a test run share.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { COMPILE_CACHE } from './compile-cache.ts'

enableCompileCache(COMPILE_CACHE.NODE_COMPILE_CACHE)
await Promise.all([
  import('../src/wiring/serve.ts'),
  import('../src/operator/commands.ts'),
  import('../cli/src/commands/table.ts'),
  import('./stack.ts'),
])
flushCompileCache()
