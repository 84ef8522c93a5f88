import { readFile } from 'node:fs/promises'
import { readConnection } from '../account/connection.ts'
import { CommandError, defineCommand, type Environment } from '../command.ts'
import { openForward } from '../mcp/forward.ts'
import { readVersion } from '../version.ts'

const KEY_FILE = 'UPVANE_API_KEY_FILE'

export const mcp = defineCommand({
  name: 'mcp',
  summary: 'let an assistant use the service (Model Context Protocol)',
  options: {
    write: { text: 'also offer tools that change something; needs a full key marked for it' },
  },
  usesApi: true,
  notes: [
    `An assistant starts this command and speaks to it on standard input and output. Ten tools read: what is down,
why, uptime, maintenance, webhooks. With --write and a full key that is marked for assistants there are seven more: check, create, pause and
resume monitors, acknowledge, publish and update incidents, schedule maintenance. None deletes.`,
    `The key is read for each call. ${KEY_FILE} names a file that holds it, beside UPVANE_URL.`,
  ],
  examples: ['upv mcp', 'upv mcp --write --profile work'],
  async run({ env, options }) {
    const connect = async () => readConnection(await withKeyFile(env), options.profile)
    // A missing key is reported now, not in the middle of a conversation.
    await connect()
    const { serveAssistant } = await import('../mcp/serve-assistant.ts')
    // Standard output belongs to the protocol.
    const warn = (text: string) => void process.stderr.write(`upv mcp: ${text}\n`)
    await serveAssistant(openForward({ connect, canWrite: options.write, warn }), readVersion())
  },
})

async function withKeyFile(env: Environment): Promise<Environment> {
  const file = env[KEY_FILE]
  if (!file) return env
  const key = await readFile(file, 'utf8').catch(() => {
    throw new CommandError(2, `${KEY_FILE} names a file that cannot be read.`)
  })
  return { ...env, UPVANE_API_KEY: key.trim() }
}
