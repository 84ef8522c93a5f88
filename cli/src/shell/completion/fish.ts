import type { Command } from '../../command.ts'
import { choicesOf, type OptionValue, oneLine, type Place, quote, toPlaces } from './places.ts'

export function toFish(commands: readonly Command[]): string {
  const places = toPlaces(commands)
  const names = places.map(({ name }) => name).filter((name) => name !== '')
  return `# Completions of upv for fish. Made by "upv completion fish".
function __upv_place
    set -l place
    for word in (commandline -opc)[2..-1]
        set -l next (string trim -- "$place $word")
        if contains -- "$next" ${names.map(quote).join(' ')}
            set place $next
        end
    end
    echo "$place"
end
function __upv_at
    set -l place (__upv_place)
    test "$place" = "$argv[1]"; and not contains -- -- (commandline -opc)
end
complete -c upv -f
complete -c upv -n 'contains -- -- (commandline -opc)' -F
${places.flatMap(linesOf).join('\n')}`
}

function linesOf({ name, words, switches, values }: Place): string[] {
  const at = `complete -c upv -n ${quote(`__upv_at "${name}"`)}`
  return [
    ...words.map(({ word, text }) => `${at} -a ${word} -d ${quote(oneLine(text))}`),
    ...switches.map(({ word, text }) => `${at} -l ${word.slice(2)} -d ${quote(oneLine(text))}`),
    ...values.map((value) => {
      const described = `-d ${quote(oneLine(value.text))}`
      return `${at} -l ${value.option.slice(2)} ${valueFlags(value)} ${described}`
    }),
  ]
}

function valueFlags({ completion }: OptionValue): string {
  const choices = choicesOf(completion)
  if (choices !== null) return `-x -a ${quote(choices.join(' '))}`
  return completion === 'file' ? '-r -F' : '-x'
}
