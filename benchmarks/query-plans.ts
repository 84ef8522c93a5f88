// The plans of every statement a process runs, as logged by the server.
import { readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import type { Postgres } from '../tools/services/postgres.ts'

const SHOWN_TEXT = 64
const BIG_ROWS = 10_000

type PlanNode = {
  'Node Type': string
  'Relation Name'?: string
  'Index Name'?: string
  'Index Cond'?: string
  Plans?: PlanNode[]
}
type Logged = { 'Query Text': string; Plan: PlanNode }
/** `wholeScans`: large tables that are read from one end, by themselves or by an index. */
type SeenPlan = { statement: string; scans: string[]; wholeScans: string[] }

const SETTINGS = {
  session_preload_libraries: 'auto_explain',
  'auto_explain.log_min_duration': '0',
  'auto_explain.log_format': 'json',
  'auto_explain.log_nested_statements': 'on',
}

/** Sets whether new connections to the database log the plan of every statement. */
export async function logPlans(client: pg.Client, wanted: boolean): Promise<void> {
  const { rows } = await client.query<{ name: string }>('select current_database() as name')
  const alter = `alter database ${pg.escapeIdentifier(rows[0]?.name ?? '')}`
  for (const [name, value] of Object.entries(SETTINGS))
    await client.query(wanted ? `${alter} set ${name} = '${value}'` : `${alter} reset ${name}`)
}

export function logLength({ directory }: Postgres): number {
  return statSync(join(directory, 'server.log')).size
}

/** Distinct plans logged since `from`. */
export function readPlans(
  { directory }: Postgres,
  from: number,
  rowsOf: ReadonlyMap<string, number>,
  bigRows = BIG_ROWS,
): SeenPlan[] {
  const text = readFileSync(join(directory, 'server.log')).subarray(from).toString()
  const isBig = (name: string) => (rowsOf.get(name) ?? 0) >= bigRows
  const plans = [...text.matchAll(/ plan:\n((?:\t.*\n)+)/g)].map(([, json = '']) =>
    toSeen(JSON.parse(json) as Logged, isBig),
  )
  const distinct = new Map(plans.map((plan) => [JSON.stringify(plan), plan]))
  return [...distinct.values()].filter(({ scans }) => scans.length > 0)
}

/** Row counts of tables and indexes by the planner's estimates; partitions count separately. */
export async function countRows(client: pg.Client): Promise<Map<string, number>> {
  const { rows } = await client.query<{ name: string; count: number }>(
    `select relname as name, reltuples::float8 as count from pg_class where relkind in ('r', 'p', 'i')`,
  )
  return new Map(rows.map(({ name, count }) => [name, count]))
}

function toSeen(logged: Logged, isBig: (name: string) => boolean): SeenPlan {
  const nodes = nodesOf(logged.Plan).filter((node) => node['Relation Name'] || node['Index Name'])
  const wholeScans = nodes
    .filter(isWholeScan)
    .flatMap((node) => node['Index Name'] ?? node['Relation Name'] ?? [])
    .filter(isBig)
  const statement = logged['Query Text'].replaceAll(/\s+/g, ' ').trim().slice(0, SHOWN_TEXT)
  return { statement, scans: [...new Set(nodes.map(describe))], wholeScans }
}

function isWholeScan(node: PlanNode): boolean {
  const kind = node['Node Type']
  return kind === 'Seq Scan' || (kind.startsWith('Index') && node['Index Cond'] === undefined)
}

function nodesOf(node: PlanNode): PlanNode[] {
  return [node, ...(node.Plans ?? []).flatMap(nodesOf)]
}

function describe(node: PlanNode): string {
  const kind = node['Node Type'].replace('ModifyTable', 'Write')
  return `${kind} ${node['Index Name'] ?? node['Relation Name'] ?? ''}`
}
