import type { Command } from '../../command.ts'
import {
  type Candidate,
  choicesOf,
  type OptionValue,
  oneLine,
  type Place,
  quote,
  toPlaces,
} from './places.ts'

export function toZsh(commands: readonly Command[]): string {
  const places = toPlaces(commands)
  const names = places.map(({ name }) => name).filter((name) => name !== '')
  return `#compdef upv
# Completions of upv for zsh. Made by "upv completion zsh".
_upv() {
  local place='' word='' index=0
  local -a candidates
  for ((index = 2; index < CURRENT; index++)); do
    word="\${words[index]}"
    if [[ $word == -- ]]; then
      if ((index == CURRENT - 1)); then _command_names -e; else _files; fi
      return
    fi
    case "\${place:+$place }$word" in
      (${names.map(quote).join('|')}) place="\${place:+$place }$word" ;;
    esac
  done
  case "$place \${words[CURRENT-1]}" in
${places.flatMap(valueCases).join('\n')}
  esac
  case "$place" in
${places.map(placeCase).join('\n')}
  esac
  _describe -t commands upv candidates
}
if [[ "\${funcstack[1]}" == _upv ]]; then
  _upv "$@"
else
  compdef _upv upv
fi`
}

function valueCases({ name, values }: Place): string[] {
  return values.map((value) => `    (${quote(`${name} ${value.option}`)}) ${valueAction(value)} ;;`)
}

function valueAction({ completion }: OptionValue): string {
  const choices = choicesOf(completion)
  if (choices !== null) return `compadd -- ${choices.join(' ')}; return`
  return completion === 'file' ? '_files; return' : 'return 1'
}

function placeCase({ name, words, switches, values, takesProgram }: Place): string {
  const all = [
    ...words,
    ...switches,
    ...values.map(({ option, text }) => ({ word: option, text })),
    ...(takesProgram ? [{ word: '--', text: 'the program follows' }] : []),
  ]
  return `    (${quote(name)}) candidates=(${all.map(described).join(' ')}) ;;`
}

// A colon ends the word, and may be in the text.
function described({ word, text }: Candidate): string {
  return quote(`${word}:${oneLine(text)}`)
}
