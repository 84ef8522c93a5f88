// Commands about the command line itself.
import { type Command, CommandError, defineCommand } from '../command.ts'
import { COMPLETIONS, type Shell } from '../shell/completion/shells.ts'
import { helpFor } from '../shell/help.ts'
import { print } from '../terminal/text.ts'
import { readVersion } from '../version.ts'

const SHELLS = Object.keys(COMPLETIONS) as Shell[]

const completion = defineCommand({
  name: 'completion',
  summary: 'print completions for a shell',
  arguments: [{ name: 'shell', text: SHELLS.join(', '), completion: SHELLS }],
  notes: [
    `bash:  upv completion bash > ~/.local/share/bash-completion/completions/upv
zsh:   upv completion zsh > a folder of your $fpath, as _upv
fish:  upv completion fish > ~/.config/fish/completions/upv.fish`,
  ],
  async run({ args: [given], commands }) {
    const shell = SHELLS.find((each) => each === given)
    if (shell === undefined) throw new CommandError(2, `choose one of ${SHELLS.join(', ')}.`)
    print(COMPLETIONS[shell](commands))
  },
})

const help = defineCommand({
  name: 'help',
  summary: 'list the commands, or describe one',
  arguments: [{ name: 'command', text: 'its words', isOptional: true, many: true }],
  async run({ args, commands }) {
    print(helpFor(commands, args))
  },
})

const version = defineCommand({
  name: 'version',
  summary: 'print the version',
  async run() {
    print(readVersion())
  },
})

export const ABOUT_COMMANDS: readonly Command[] = [completion, help, version]
