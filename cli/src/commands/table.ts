// Every command of `upv`. Parsing, help and completion are made from this table. A command loads only the files of its
// own group: reading all of them takes longer than most commands.
import type { Command } from '../command.ts'

type Group = {
  /** The first words of its commands. */
  words: readonly string[]
  load(): Promise<readonly Command[]>
}

/** In the order of the help. */
export const GROUPS: readonly Group[] = [
  {
    words: ['login', 'logout', 'profiles'],
    load: async () => (await import('./login.ts')).ACCOUNT_COMMANDS,
  },
  { words: ['status'], load: async () => [(await import('./status.ts')).status] },
  { words: ['monitors'], load: async () => (await import('./monitors.ts')).MONITOR_COMMANDS },
  {
    words: ['incidents'],
    load: async () => [
      ...(await import('./incidents.ts')).INCIDENT_COMMANDS,
      (await import('./evidence.ts')).incidentEvidence,
    ],
  },
  {
    words: ['evidence-key', 'verify'],
    load: async () => (await import('./evidence.ts')).EVIDENCE_COMMANDS,
  },
  { words: ['replay'], load: async () => [(await import('./replay.ts')).replay] },
  { words: ['windows'], load: async () => (await import('./windows.ts')).WINDOW_COMMANDS },
  { words: ['pages'], load: async () => (await import('./pages.ts')).PAGE_COMMANDS },
  { words: ['check'], load: async () => [(await import('./check.ts')).check] },
  { words: ['deploy'], load: async () => [(await import('./deploy.ts')).deploy] },
  {
    words: ['validate', 'plan', 'apply', 'export', 'adopt', 'forget', 'sources', 'schema'],
    load: async () => (await import('./as-code.ts')).AS_CODE_COMMANDS,
  },
  { words: ['listen'], load: async () => [(await import('./listen.ts')).listen] },
  { words: ['mcp'], load: async () => [(await import('./mcp.ts')).mcp] },
  { words: ['import'], load: async () => (await import('./import.ts')).IMPORT_COMMANDS },
  {
    words: ['completion', 'help', 'version'],
    load: async () => (await import('./about.ts')).ABOUT_COMMANDS,
  },
]
// They describe the others.
const ABOUT_ALL = new Set(['completion', 'help'])

/** The commands that this first word of a line needs: those of its group, or all. */
export async function loadCommands(word?: string): Promise<readonly Command[]> {
  const group = GROUPS.find(({ words }) => word !== undefined && words.includes(word))
  if (group !== undefined && word !== undefined && !ABOUT_ALL.has(word)) return group.load()
  const all = await Promise.all(GROUPS.map(({ load }) => load()))
  return all.flat()
}
