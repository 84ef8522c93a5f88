// Writes docs/contact-settings.md from the schema of upvane.yaml: node cli/make-contact-settings.ts
// With --check it only fails if the committed file differs.
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { type FileSchema, getDefinition } from './src/as-code/schema/schema.ts'

const FILE = new URL('../docs/contact-settings.md', import.meta.url)

if (import.meta.main) {
  const text = makeContactSettings()
  const isStale = !existsSync(FILE) || readFileSync(FILE, 'utf8') !== text
  if (!process.argv.includes('--check')) writeFileSync(FILE, text)
  else if (isStale) {
    process.stderr.write(
      'Differs from the schema: contact-settings.md. Run "npm run make:openapi".\n',
    )
    process.exitCode = 1
  }
}

/** The text of docs/contact-settings.md. */
export function makeContactSettings(): string {
  const channels = (getDefinition('Contact').properties?.['channel']?.enum ?? []).map(String)
  return `# Settings of alert contacts

What \`settings\` of a contact holds, by its \`channel\`: in [upvane.yaml](as-code.md) and in \`POST /api/ext/v1/alert-contacts\`.
Generated from the schema of the file.

| channel | settings |
|---|---|
${channels.map((channel) => `| \`${channel}\` | ${settingsOf(channel)} |\n`).join('')}
A secret is written and never read back: in a file it is \`\${env:NAME}\`. For example:

\`\`\`yaml
contacts:
  team: { name: Team, channel: EMAIL, settings: { address: team@example.com } }
\`\`\`
`
}

function settingsOf(channel: string): string {
  const { properties = {}, required = [] } = getDefinition(`Settings_${channel}`)
  return Object.entries(properties)
    .map(([name, field]) => `\`${name}\`${notesOf(field, required.includes(name))}`)
    .join(', ')
}

/** A secret may be left out of a file whose contact exists, so the schema requires none. */
function notesOf({ writeOnly, enum: values }: FileSchema, isRequired: boolean): string {
  const notes = [
    ...(writeOnly === true ? ['secret'] : []),
    ...(isRequired || writeOnly === true ? [] : ['optional']),
    ...(values === undefined ? [] : [values.map(String).join(' or ')]),
  ]
  return notes.length === 0 ? '' : ` (${notes.join('; ')})`
}
