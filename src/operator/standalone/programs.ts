// The programs of PostgreSQL in the image. Those in PATH make new databases. Programs of older versions, where Debian
// installs them, only read what is to be upgraded.
import { spawnSync } from 'node:child_process'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'

const INSTALLED = '/usr/lib/postgresql'
const VERSION = /\(PostgreSQL\) (\d{1,3})/

/** 0 if there is none. */
export function readProgramMajor(): number {
  const { stdout } = spawnSync('postgres', ['--version'], { encoding: 'utf8' })
  return Number(VERSION.exec(stdout ?? '')?.[1] ?? 0)
}

export function findReadableMajors(): number[] {
  if (!existsSync(INSTALLED)) return []
  return readdirSync(INSTALLED)
    .map(Number)
    .filter((major) => existsSync(installedServer(major)))
    .toSorted((a, b) => a - b)
}

/** The server that reads databases of this major version. */
export function findServer(major: number): string | undefined {
  if (major === readProgramMajor()) return 'postgres'
  const installed = installedServer(major)
  return existsSync(installed) ? installed : undefined
}

const installedServer = (major: number): string => join(INSTALLED, String(major), 'bin/postgres')
