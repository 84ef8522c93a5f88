// The documents that are installed: pages of the contents, decisions, pictures and code samples.
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { join, posix } from 'node:path'
import { DECISIONS, GROUPS, type Group, type PageEntry } from './contents.ts'

export type Library = {
  /** Without pages whose document is not installed. */
  groups: readonly Group[]
  /** Not in the navigation: one page lists them. */
  decisions: readonly PageEntry[]
  /** Pictures and samples, below docs/. */
  files: readonly string[]
  read(file: string): Buffer
}

const FOLDERS = ['images', 'samples/webhooks', 'samples/sdk']

export function openLibrary(root: string): Library {
  const isInstalled = ({ file }: PageEntry) => file === undefined || existsSync(join(root, file))
  return {
    groups: GROUPS.map(({ title, pages }) => ({ title, pages: pages.filter(isInstalled) })),
    decisions: namesIn(root, DECISIONS).flatMap((name) => decision(root, name)),
    files: FOLDERS.flatMap((folder) => namesIn(root, folder).map((name) => `${folder}/${name}`)),
    read: (file) => readFileSync(join(root, file)),
  }
}

function namesIn(root: string, folder: string): string[] {
  const path = join(root, 'docs', folder)
  if (!existsSync(path)) return []
  const entries = readdirSync(path, { withFileTypes: true }).filter((entry) => entry.isFile())
  return entries.map(({ name }) => name).toSorted()
}

function decision(root: string, name: string): PageEntry[] {
  if (!name.endsWith('.md')) return []
  const file = `docs/${DECISIONS}/${name}`
  const [line = ''] = readFileSync(join(root, file), 'utf8').split('\n', 1)
  const title = line.replace(/^# /, '')
  return [{ path: `${DECISIONS}/${posix.basename(name, '.md')}`, file, title, summary: '' }]
}

/** Every page that is made from a document. */
export const documentsOf = ({ groups, decisions }: Library): (PageEntry & { file: string })[] =>
  [...groups.flatMap(({ pages }) => pages), ...decisions].flatMap((page) =>
    page.file === undefined ? [] : [{ ...page, file: page.file }],
  )
