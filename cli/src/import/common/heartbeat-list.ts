// The list of jobs that ping: their old URL, and the new one once the monitors exist.
import { CommandError } from '../../command.ts'
import type { HeartbeatMove } from './collector.ts'
import { readCsv } from './csv.ts'
import { textOf } from './values.ts'

export type ListedHeartbeat = HeartbeatMove & { newUrl: string; aliasUrl: string }

const COLUMNS = ['monitor', 'name', 'token', 'oldUrl', 'newUrl', 'aliasUrl'] as const
// A spreadsheet could run it.
const RUNS = /^'*[\s\p{Cc}\p{Cf}]*[=+\-@|%\uff1d\uff0b\uff0d\uff20]|^'*[\t\r\n]/u

export function toHeartbeatCsv(heartbeats: readonly ListedHeartbeat[]): string {
  const lines = heartbeats.map((one) => COLUMNS.map((column) => toCell(one[column])).join(','))
  return `${[COLUMNS.join(','), ...lines].join('\r\n')}\r\n`
}

function toCell(text: string): string {
  if (text === '') return ''
  const harmless = RUNS.test(text) ? `'${text}` : text
  return `"${harmless.replaceAll('"', '""')}"`
}

/** A script for sed that puts the new URL wherever the old one is. The longest first: one may begin another. */
export function toSedScript(heartbeats: readonly ListedHeartbeat[]): string {
  const lines = heartbeats
    .filter(({ oldUrl, newUrl }) => oldUrl !== '' && newUrl !== '')
    .toSorted((a, b) => b.oldUrl.length - a.oldUrl.length)
    .map(({ oldUrl, newUrl }) => `s|${toSedPattern(oldUrl)}|${toSedText(newUrl)}|g\n`)
  return lines.join('')
}

const toSedPattern = (text: string): string => onOneLine(text).replace(/[\\|.*[\]^$]/g, '\\$&')
const toSedText = (text: string): string => onOneLine(text).replace(/[\\|&]/g, '\\$&')
const onOneLine = (text: string): string => text.replace(/\p{Cc}+/gu, ' ')

export function readHeartbeatCsv(path: string, text: string): ListedHeartbeat[] {
  const rows = readCsv(path, text)
  if (rows.length > 0 && rows[0]?.['oldurl'] === undefined)
    throw new CommandError(1, `${path} is not a list that "upv import" has made.`)
  return rows.map((row) => ({
    monitor: textOf(row, 'monitor'),
    name: textOf(row, 'name'),
    token: textOf(row, 'token'),
    oldUrl: textOf(row, 'oldurl'),
    newUrl: textOf(row, 'newurl'),
    aliasUrl: textOf(row, 'aliasurl'),
  }))
}
