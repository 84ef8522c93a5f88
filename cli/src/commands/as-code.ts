import { createOutput } from '../as-code/act/output.ts'
import { FILE_OPTION, secretsOf } from '../as-code/act/session.ts'
import { loadConfiguration } from '../as-code/file/read-file.ts'
import { RESOURCE_KINDS } from '../as-code/model/kinds.ts'
import { literalSecrets } from '../as-code/model/literal-secrets.ts'
import { getFileSchema } from '../as-code/schema/schema.ts'
import { type Command, defineCommand } from '../command.ts'
import { clean, toSafeJson } from '../terminal/text.ts'
import { adopt } from './adopt.ts'
import { apply } from './apply.ts'
import { exportFile } from './export.ts'
import { forget } from './forget.ts'
import { plan } from './plan.ts'
import { SOURCE_COMMANDS } from './sources.ts'

const validate = defineCommand({
  name: 'validate',
  summary: 'check a configuration file without asking the service',
  options: FILE_OPTION,
  printsJson: true,
  notes: [
    'It ends with 0, or with 2 and every problem with its line and column.',
    'Variables of the file need no value here. What they stand for is not checked then.',
    'It runs a program such as upvane.config.ts only if -f names it.',
  ],
  async run({ options, env }) {
    const loading = { programs: 'RUN_IF_NAMED', variables: 'ALLOW' } as const
    const { file, configuration, unset } = await loadConfiguration(options.file, env, loading)
    const { resources, source } = configuration
    const counts = RESOURCE_KINDS.map((kind): [string, number] => [
      kind,
      resources.filter((each) => each.kind === kind).length,
    ]).filter(([, count]) => count > 0)
    const output = createOutput(secretsOf(configuration, env))
    const texts = counts.map(([kind, count]) => `${kind} ${count}`)
    if (options.json)
      output.print(
        toSafeJson({ file, source, counts: Object.fromEntries(counts), unset }, 'compact'),
      )
    else output.print(`${file} is valid: ${texts.join(', ') || 'nothing in it'}.`)
    for (const path of literalSecrets(resources))
      output.note(
        `${clean(path)} is a secret. Write "\${env:NAME}", and keep its value out of the file.`,
      )
    if (unset.length > 0)
      output.note(`Not set, and needed by plan and apply: ${unset.map(clean).join(', ')}.`)
  },
})

const schema = defineCommand({
  name: 'schema',
  summary: 'print the JSON Schema of configuration files, for editors',
  notes: [
    'The first line of upvane.yaml tells editors about it: # yaml-language-server: $schema=./upvane.schema.json',
  ],
  examples: ['upv schema'],
  async run() {
    process.stdout.write(`${JSON.stringify(getFileSchema(), null, 2)}\n`)
  },
})

export const AS_CODE_COMMANDS: readonly Command[] = [
  validate,
  plan,
  apply,
  exportFile,
  adopt,
  forget,
  ...SOURCE_COMMANDS,
  schema,
]
