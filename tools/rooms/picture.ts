// The picture of the rooms, made from rooms.json, and where it is kept.
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { drawRooms } from './draw.ts'
import type { Rooms } from './layers.ts'

const ROOT = join(import.meta.dirname, '../..')
export const PICTURE = join(ROOT, 'docs/images/rooms.svg')

// In two short lines each; ARCHITECTURE.md has the sentences.
const ABOUT: Readonly<Record<string, string>> = {
  domain: 'decisions as pure functions',
  contract: 'operations, schemas and errors as data',
  platform: 'configuration, log, encryption, metrics',
  render: 'HTML, Markdown, texts in five languages',
  store: 'SQL, and nothing else has it',
  bus: 'how jobs travel to probes',
  outbound: 'the only way to other hosts',
  checks: 'a file per type of monitor',
  channels: 'a file per way to deliver',
  actions: 'writes, a transaction each',
  engine: 'the loops of the roles',
  api: 'HTTP: public, extension and private API',
  pages: 'public status pages',
  operator: 'the operator’s commands',
  web: 'the dashboard',
  wiring: 'how a process is put together',
}

export function makePicture(): string {
  const rooms = JSON.parse(readFileSync(join(ROOT, 'rooms.json'), 'utf8')) as Rooms
  const unknown = Object.keys(rooms).filter((name) => ABOUT[name] === undefined)
  if (unknown.length > 0)
    throw new Error(`Say in ${import.meta.filename} what is in ${unknown.join(', ')}.`)
  return drawRooms(rooms, ABOUT)
}
