import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { brotliCompressSync, constants, gzipSync } from 'node:zlib'
import react from '@vitejs/plugin-react'
import { defineConfig, type Plugin } from 'vite'
import { toPseudo } from '../src/domain/messages/pseudo.ts'
import { completed } from '../src/domain/messages/texts.ts'
import { PATHS, SIGNED_OUT_PATHS } from '../src/domain/values/dashboard-paths.ts'

const OUT = join(import.meta.dirname, 'dist')
const MESSAGES = join(import.meta.dirname, 'src/messages')
/** Only for tests: every message in brackets, with accents, two fifths longer. */
const PSEUDO = 'en-XA'
const TEXT = /\.(?:js|css|html|svg|json)$/
const MIN_COMPRESSED_BYTES = 512

// Each request costs as much as a few kilobytes, so code that is needed together is one file. Libraries change less
// often than our own code, so browsers keep their file.
const CHUNKS = [
  { name: 'libraries', tags: ['$initial' as const], test: /[\\/]node_modules[\\/]/, priority: 3 },
  { name: 'index', tags: ['$initial' as const], priority: 2 },
  { name: 'over', test: /[\\/](?:@base-ui|@floating-ui)[\\/]/, priority: 1 },
]

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), earlyPaths(), catalogs(process.env['UPVANE_LANGUAGE'] ?? 'en'), compressed()],
  // With `vite web`, the running service answers API requests.
  server: { proxy: { '/app': process.env['UPVANE_URL'] ?? 'http://127.0.0.1:8080' } },
  build: {
    outDir: OUT,
    emptyOutDir: true,
    manifest: 'manifest.json',
    target: 'es2024',
    // Inlined files become data: URLs, which the page's policy forbids for scripts and fonts.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    chunkSizeWarningLimit: 400,
    reportCompressedSize: false,
    rolldownOptions: { output: { codeSplitting: { groups: CHUNKS } } },
  },
})

/** Gives `public/early.js` its paths: it runs before any import. */
function earlyPaths(): Plugin {
  return {
    name: 'early-paths',
    transformIndexHtml: (html) =>
      html
        .replace('%SIGNED_OUT_PATHS%', Object.values(SIGNED_OUT_PATHS).join(' '))
        .replace('%LIST_PATHS%', [PATHS.home, PATHS.monitors].join(' ')),
  }
}

/** Replaces the English catalogs. What a translation leaves out remains in English. */
function catalogs(language: string): Plugin {
  const english = join(MESSAGES, 'en/')
  const translate = async (id: string, catalog: object): Promise<unknown> => {
    if (language === PSEUDO) return toPseudo(catalog)
    const translation = join(MESSAGES, language, id.slice(english.length))
    return existsSync(translation) ? import(translation) : undefined
  }
  return {
    name: 'catalogs',
    enforce: 'pre',
    apply: () => language !== 'en',
    transform: (code, id) =>
      id === join(MESSAGES, 'language.ts')
        ? code.replace("= 'en'\n", `= '${language}'\n`)
        : undefined,
    async load(id) {
      if (!id.startsWith(english)) return undefined
      const catalog: object = { ...(await import(id)) }
      return Object.entries(completed(catalog, await translate(id, catalog)))
        .map(([name, table]) => `export const ${name} = ${JSON.stringify(table)}`)
        .join('\n')
    },
  }
}

/** Writes a gzip and a brotli copy next to each text file, so that none is compressed during a request. */
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
  if (bytes.length < MIN_COMPRESSED_BYTES) return
  writeFileSync(`${path}.gz`, gzipSync(bytes, { level: 9 }))
  const params = { [constants.BROTLI_PARAM_QUALITY]: 11 }
  writeFileSync(`${path}.br`, brotliCompressSync(bytes, { params }))
}
