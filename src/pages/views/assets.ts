// Files that all pages share, read once. Their names contain a hash of their content, so they may be cached forever.
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BoundedMap } from '../../platform/bounded-map.ts'
import { readableAccent } from './accent.ts'

const DIRECTORY = join(import.meta.dirname, '../assets')

export type Asset = { name: string; type: string; body: Buffer }

const TYPES: Readonly<Record<string, string>> = {
  woff2: 'font/woff2',
  svg: 'image/svg+xml',
  js: 'text/javascript; charset=utf-8',
}

const FILES = ['inter-latin.woff2', 'inter-latin-ext.woff2', 'favicon.svg', 'page.js'] as const
type File = (typeof FILES)[number]

const assets = new Map<File, Asset>(FILES.map((file) => [file, readAsset(file)]))
const byName = new Map([...assets.values()].map((asset) => [asset.name, asset]))

function readAsset(file: File): Asset {
  const source = readFileSync(join(DIRECTORY, file))
  const body = file.endsWith('.js') ? Buffer.from(shrinkScript(source.toString())) : source
  const hash = createHash('sha256').update(body).digest('hex').slice(0, 10)
  const [stem = '', ending = ''] = file.split('.')
  return { name: `${stem}.${hash}.${ending}`, type: TYPES[ending] ?? '', body }
}

export function findAsset(name: string): Asset | undefined {
  return byName.get(name)
}

export function assetName(file: File): string {
  return assets.get(file)?.name ?? file
}

/** Removes comments and indentation; names stay, so that the script is readable in the browser. */
function shrinkScript(script: string): string {
  return script.replaceAll(/^\s*(?:\/\/.*)?\n?/gm, '')
}

// In the order of the cascade.
const STYLES = [
  'colours.css',
  'base.css',
  'controls.css',
  'states.css',
  'bars.css',
  'frame.css',
  'hero.css',
  'overview.css',
  'incident.css',
  'small.css',
  'narrow.css',
]
const SHEET = STYLES.map((file) => shrink(readFileSync(join(DIRECTORY, file), 'utf8'))).join('')
const MAX_STYLES = 1_000
const styles = new BoundedMap<string, Style>(MAX_STYLES)

/** `hash` is what the content security policy allows. */
export type Style = { text: string; hash: string }

export function styleFor(folder: string, accentColor: string | null): Style {
  const key = `${folder} ${accentColor}`
  const known = styles.get(key)
  if (known !== undefined) return known
  const created = createStyle(folder, accentColor)
  styles.set(key, created)
  return created
}

function createStyle(folder: string, accentColor: string | null): Style {
  const fonts = SHEET.replaceAll(/ASSETS\/(inter-latin(?:-ext)?\.woff2)/g, (_, file: File) => {
    return `${folder}/${assetName(file)}`
  })
  const accent = accentColor === null ? undefined : readableAccent(accentColor)
  const own =
    accent === undefined ? '' : `:root{--accent:light-dark(${accent.light},${accent.dark})}`
  const text = fonts + own + plainColors(SHEET + own)
  return { text, hash: createHash('sha256').update(text).digest('base64') }
}

/** Browsers from before mid-2024 do not support light-dark(): they get the light values. */
function plainColors(sheet: string): string {
  const values = sheet.matchAll(/(--[\w-]+):light-dark\((#\w+),#\w+\)/g)
  const plain = new Map([...values].map(([, name, light]) => [name, light]))
  const rules = [...plain].map(([name, light]) => `${name}:${light}`).join(';')
  return `@supports not (color:light-dark(#000,#fff)){:root{${rules}}}`
}

function shrink(sheet: string): string {
  return sheet
    .replaceAll(/\/\*[^]*?\*\//g, '')
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/ ?([{};,]) ?/g, '$1')
    .replaceAll(/: /g, ':')
    .replaceAll(';}', '}')
    .trim()
}
