// YAML for tests outside of this package, which is the one that depends on a parser.
import { readFileSync } from 'node:fs'
import { parse } from 'yaml'

export function readYaml(file: string): unknown {
  return parse(readFileSync(file, 'utf8'))
}
