// Prometheus as Debian packages it, with its own configuration and data, and its queries.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { findFreePort } from '../../../tools/services/ports.ts'

type Sample = { metric: Record<string, string>; value: [at: number, value: string] }

type Prometheus = {
  /** A path of its HTTP API, with the query string. */
  read<T>(path: string): Promise<T>
  /** An instant query. */
  query(expr: string): Promise<Sample[]>
  stop(): Promise<void>
}

type Setting = {
  /** By name. One of them is prometheus.yml. */
  files: Record<string, string>
  /** A directory whose watchdog stops every process that runs in it. */
  watched: string
}

export async function startPrometheus({ files, watched }: Setting): Promise<Prometheus> {
  const directory = mkdtempSync(join(tmpdir(), 'upvane-prometheus-'))
  for (const [name, text] of Object.entries(files)) writeFileSync(join(directory, name), text)
  const port = await findFreePort()
  const child = spawn(
    'prometheus',
    [
      `--config.file=${join(directory, 'prometheus.yml')}`,
      `--storage.tsdb.path=${join(directory, 'data')}`,
      `--web.listen-address=127.0.0.1:${port}`,
    ],
    { stdio: 'ignore', cwd: watched },
  )
  const read = async <T>(path: string): Promise<T> => {
    const response = await fetch(`http://127.0.0.1:${port}/api/v1/${path}`)
    const { status, data, error } = (await response.json()) as {
      status: string
      data: T
      error?: string
    }
    assert.equal(status, 'success', `${path}: ${error}`)
    return data
  }
  return {
    read,
    query: async (expr) =>
      (await read<{ result: Sample[] }>(`query?query=${encodeURIComponent(expr)}`)).result,
    async stop() {
      child.kill('SIGTERM')
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit')
      rmSync(directory, { recursive: true })
    },
  }
}

type Dashboard = {
  title: string
  panels: { title: string; targets?: { expr: string }[] }[]
}

/** The queries of a dashboard, with values for its variables. */
export function queriesOf(text: string, variables: Record<string, string>): string[] {
  const { panels } = JSON.parse(text) as Dashboard
  return panels.flatMap(({ targets = [] }) =>
    targets.map(({ expr }) =>
      Object.entries(variables).reduce(
        (query, [name, value]) => query.replaceAll(`$${name}`, value),
        expr,
      ),
    ),
  )
}

/** Returns a sample that is a number: NaN is drawn as nothing. */
export async function hasData({ query }: Prometheus, expr: string): Promise<boolean> {
  return (await query(expr)).some(({ value: [, text] }) => Number.isFinite(Number(text)))
}
