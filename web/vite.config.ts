import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'

const OUT = join(import.meta.dirname, 'dist')
const TEXT = /\.(?:js|css|html|svg|json)$/
const SMALLEST_WORTH_BYTES = 512

// Each file costs a browser as much as some kilobytes: what is needed together is one. Libraries change less often
// than our own and stay in its cache.
const CHUNKS = [
  { name: 'libraries', tags: ['$initial' as const], test: /[\\/]node_modules[\\/]/, priority: 3 },
  { name: 'index', tags: ['$initial' as const], priority: 2 },
  { name: 'over', test: /[\\/](?:@base-ui|@floating-ui)[\\/]/, priority: 1 },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), compressed()],
  // For `vite web` beside a running service: pages from here, everything else from there.
  server: { proxy: { '/app': process.env['UPVANE_URL'] ?? 'http://127.0.0.1:8080' } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2024',
    // Inlined files would be data: addresses, which the page's policy refuses for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
})

/** Beside each text file its gzip and brotli form: compressed once here, never while somebody waits. */
function compressed(): Plugin {
  let built = OUT
  return {
    name: 'compressed',
    apply: 'build',
    configResolved({ root, build }) {
      built = resolve(root, build.outDir)
    },
    closeBundle() {
      for (const file of readdirSync(built, { recursive: true, encoding: 'utf8' }))
        if (TEXT.test(file)) compress(join(built, file))
    },
  }
}

function compress(path: string): void {
  const bytes = readFileSync(path)
  if (bytes.length < SMALLEST_WORTH_BYTES) return
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
}
