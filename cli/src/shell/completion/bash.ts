import type { Command } from '../../command.ts'
import { choicesOf, type OptionValue, type Place, quote, toPlaces } from './places.ts'

export function toBash(commands: readonly Command[]): string {
  const places = toPlaces(commands)
  const names = places.map(({ name }) => name).filter((name) => name !== '')
  return `# Completions of upv for bash. Made by "upv completion bash".
_upv() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}"
  local place='' word='' candidates='' index=0
  COMPREPLY=()
  for ((index = 1; index < COMP_CWORD; index++)); do
    word="\${COMP_WORDS[index]}"
    if [[ $word == -- ]]; then
      local IFS=$'\\n'
      if ((index == COMP_CWORD - 1)); then
        COMPREPLY=($(compgen -c -- "$current"))
      else
        COMPREPLY=($(compgen -f -- "$current"))
      fi
      return
    fi
    case "\${place:+$place }$word" in
      ${names.map(quote).join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place $previous" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${places.map(placeCase).join('\n')}
  esac
  COMPREPLY=($(compgen -W "$candidates" -- "$current"))
}
complete -F _upv upv`
}

function valueCases({ name, values }: Place): string[] {
  return values.map((value) => `    ${quote(`${name} ${value.option}`)}) ${valueAction(value)} ;;`)
}

function valueAction({ completion }: OptionValue): string {
  const choices = choicesOf(completion)
  if (choices !== null)
    return `COMPREPLY=($(compgen -W ${quote(choices.join(' '))} -- "$current")); return`
  if (completion === 'file')
    return `local IFS=$'\\n'; COMPREPLY=($(compgen -f -- "$current")); return`
  return 'return'
}

function placeCase({ name, words, switches, values, takesProgram }: Place): string {
  const all = [
    ...words.map(({ word }) => word),
    ...switches.map(({ word }) => word),
    ...values.map(({ option }) => option),
    ...(takesProgram ? ['--'] : []),
  ]
  return `    ${quote(name)}) candidates=${quote(all.join(' '))} ;;`
}
