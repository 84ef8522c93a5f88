// Compiles the service and the command line once into the cache that all processes of a test run share, or into the one that
// NODE_COMPILE_CACHE names: Node keeps one for each account.
import { enableCompileCache, flushCompileCache } from 'node:module'
import { COMPILE_CACHE } from './compile-cache.ts'

enableCompileCache(COMPILE_CACHE.NODE_COMPILE_CACHE)
await Promise.all([
  import('../src/wiring/serve.ts'),
  // What the service loads only for the roles that it runs.
  import('../src/wiring/api/api.ts'),
  import('../src/wiring/dispatcher.ts'),
  import('../src/wiring/janitor.ts'),
  import('../src/wiring/probe.ts'),
  import('../src/wiring/probe-joins.ts'),
  import('../src/wiring/scheduler.ts'),
  import('../src/operator/commands.ts'),
  import('../src/operator/standalone/move-out.ts'),
  import('../src/operator/standalone/standalone.ts'),
  import('../src/operator/standalone/upgrade.ts'),
  import('../cli/src/commands/table.ts'),
  import('./stack.ts'),
])
flushCompileCache()
