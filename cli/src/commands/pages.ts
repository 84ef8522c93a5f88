import type { StatusPage } from '@upvane/sdk'
import { openClient } from '../api/client.ts'
import { findPage } from '../api/find.ts'
import { type Command, defineCommand } from '../command.ts'
import { toStateCell } from '../terminal/format.ts'
import {
  availableColumns,
  type Details,
  type Listing,
  printDetails,
  printList,
} from '../terminal/output.ts'
import { toTable } from '../terminal/table.ts'
import { paint, print } from '../terminal/text.ts'

const LISTING: Listing<StatusPage> = {
  columns: [
    { title: 'STATE' },
    { title: 'NAME', shrinksTo: 12 },
    { title: 'URL', shrinksTo: 16 },
    { title: 'PUBLISHED' },
    { title: 'ID' },
  ],
  toRow: (page) => [
    toStateCell(page.state),
    page.name,
    page.url,
    page.published ? 'yes' : 'no',
    page.id,
  ],
  none: 'No status pages.',
}

const list = defineCommand({
  name: 'pages list',
  summary: 'list status pages',
  options: { search: { value: 'TEXT', text: 'only pages with this text in name or slug' } },
  usesApi: true,
  printsJson: true,
  async run(call) {
    const { search, json } = call.options
    const upvane = await openClient(call)
    const pages = await upvane.statusPages.list(search ? { q: search } : {}).all()
    printList(pages, LISTING, json)
  },
})

const get = defineCommand({
  name: 'pages get',
  summary: 'show a status page with its components',
  arguments: [{ name: 'page', text: 'its id, its slug, or its name' }],
  usesApi: true,
  printsJson: true,
  async run(call) {
    const [text = ''] = call.args
    const upvane = await openClient(call)
    const page = await findPage(upvane, text)
    printDetails(page, detailsOf(page), call.options.json)
    if (!call.options.json) printComponents(page)
  },
})

function detailsOf(page: StatusPage): Details {
  return [
    ['Name', page.name],
    ['Id', page.id],
    ['State', toStateCell(page.state)],
    ['URL', page.url],
    ['Published', page.published ? 'yes' : 'no'],
    ['Domain', page.customDomain && `${page.customDomain} (${page.customDomainStatus})`],
    ['Password', page.passwordProtected ? 'yes' : null],
    ['Description', page.description],
  ]
}

function printComponents({ sections }: StatusPage): void {
  const rows = sections.flatMap((section) =>
    section.components.map((each) => [toStateCell(each.state), section.name ?? '', each.name]),
  )
  if (rows.length === 0) return
  print('')
  const columns = [
    { title: 'STATE' },
    { title: 'SECTION', shrinksTo: 10 },
    { title: 'COMPONENT', shrinksTo: 10 },
  ]
  for (const line of toTable(columns, rows, availableColumns(), paint)) print(line)
}

export const PAGE_COMMANDS: readonly Command[] = [list, get]
