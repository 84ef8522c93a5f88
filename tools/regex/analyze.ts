// Runs recheck on a regular expression. Its package includes a native binary; without one it runs as JavaScript.
import { check } from 'recheck'

type Analysis = { isSafe: boolean; summary: string }

const TIMEOUT_MS = 120_000

export async function analyze(pattern: string): Promise<Analysis> {
  const end = pattern.lastIndexOf('/')
  const [source, flags] = [pattern.slice(1, end), pattern.slice(end + 1)]
  const found = await check(source, flags, { timeout: TIMEOUT_MS })
  switch (found.status) {
    case 'safe':
      return { isSafe: true, summary: `${found.complexity.summary}, ${found.checker}` }
    case 'vulnerable':
      return { isSafe: false, summary: `${found.complexity.summary}: ${found.attack.pattern}` }
    case 'unknown':
      return { isSafe: false, summary: `not decided: ${found.error.kind}` }
  }
}
