import type { Argument, Command, Option } from 'commander'
import { showCompleteHelp } from './help.js'

export const shells = ['bash', 'zsh', 'fish'] as const
export type Shell = (typeof shells)[number]

/** The values that a place on the command line takes. Notes and tags are asked of the index when they are needed. */
type Values = { kind: 'words'; words: readonly string[] } | { kind: 'notes' | 'tags' | 'files' | 'folders' | 'none' }

interface CompletedFlag {
  names: string[]
  about: string
  /** Absent for a flag without a value. */
  values?: Values
}

/** A command as the scripts complete it. */
interface CompletedCommand {
  /** '' for the program itself, `tool`, `tool list`. */
  path: string
  subcommands: { name: string; about: string }[]
  flags: CompletedFlag[]
  /** The values of its arguments, in order; the last one is repeated where it takes several. */
  values: Values[]
}

/** Names that are the same in every vault, by the names that commands give their arguments. */
export type FixedNames = Record<'tool' | 'setting' | 'provider' | 'dialect' | 'format', readonly string[]>

/** A script that completes commands, subcommands, flags, choices and names as the program declares them. */
export function completionScript(shell: Shell, program: Command, names: FixedNames): string {
  // Rare flags and commands too.
  showCompleteHelp(program)
  const commands = completedCommands(program, names)
  return { bash: bashScript, zsh: zshScript, fish: fishScript }[shell](commands)
}

function completedCommands(command: Command, names: FixedNames, parents: string[] = []): CompletedCommand[] {
  const help = command.createHelp()
  const subcommands = help.visibleCommands(command).filter((one) => one.name() !== 'help')
  help.showGlobalOptions = true
  const own = {
    path: parents.join(' '),
    subcommands: subcommands.map((one) => ({ name: one.name(), about: firstLine(one.description()) })),
    flags: [...help.visibleOptions(command), ...help.visibleGlobalOptions(command)].map((option) =>
      completedFlag(option, names),
    ),
    values: command.registeredArguments.map((argument) => argumentValues(argument, names)),
  }
  return [own, ...subcommands.flatMap((one) => completedCommands(one, names, [...parents, one.name()]))]
}

const firstLine = (text: string): string => text.split('\n', 1).join('')

function completedFlag(option: Option, fixed: FixedNames): CompletedFlag {
  const names = [option.short, option.long].filter((name) => name !== undefined && name !== null)
  const takesValue = option.required || option.optional
  return { names, about: firstLine(option.description), ...(takesValue && { values: optionValues(option, fixed) }) }
}

function optionValues({ argChoices, flags }: Option, names: FixedNames): Values {
  if (argChoices !== undefined) return { kind: 'words', words: argChoices }
  return valuesNamed(/[<[]([\w-]+)/.exec(flags)?.[1] ?? '', names)
}

function argumentValues(argument: Argument, names: FixedNames): Values {
  const { argChoices } = argument
  return argChoices === undefined ? valuesNamed(argument.name(), names) : { kind: 'words', words: argChoices }
}

/** The kinds of values, by the names that commands give their arguments. */
function valuesNamed(name: string, names: FixedNames): Values {
  switch (name) {
    case 'note':
    case 'from':
      return { kind: 'notes' }
    case 'tag':
      return { kind: 'tags' }
    case 'file':
      return { kind: 'files' }
    case 'folder':
      return { kind: 'folders' }
    case 'tool':
    case 'setting':
    case 'provider':
    case 'dialect':
    case 'format':
      return { kind: 'words', words: names[name] }
    default:
      return { kind: 'none' }
  }
}

/** Ours are plain words, so that a shell expands nothing in them. */
function valuesWord(values: Values): string {
  return values.kind === 'words'
    ? `words ${values.words.filter((word) => /^[\w.:/-]+$/.test(word)).join(' ')}`
    : values.kind
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

/**
 * Tables for bash and zsh: functions that set `kind` for a flag or an argument, and tell commands from arguments. Both
 * shells read them; `at` is the command so far.
 */
function tables(commands: readonly CompletedCommand[]): string {
  const isCommand = commands
    .filter(({ path }) => path !== '')
    .map(({ path }) => quoted(path))
    .join('|')
  const flagRows = commands.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, values }) =>
      values === undefined
        ? []
        : [`    ${names.map((name) => quoted(`${path}:${name}`)).join('|')}) kind=${quoted(valuesWord(values))} ;;`],
    ),
  )
  const argumentRows = commands.flatMap(({ path, values }) =>
    values.map((value, number) => {
      const place = number === values.length - 1 ? `${quoted(`${path}:`)}*` : quoted(`${path}:${number}`)
      return `    ${place}) kind=${quoted(valuesWord(value))} ;;`
    }),
  )
  return `_notewright_is_command() {
  case "$1" in
    ${isCommand}) return 0 ;;
  esac
  return 1
}

_notewright_flag_value() {
  case "$1" in
${flagRows.join('\n')}
  esac
}

_notewright_argument_value() {
  case "$1" in
${argumentRows.join('\n')}
  esac
}
`
}

/** Reads the words before the cursor: the command, the number of its arguments, and whether a flag waits for its value. */
const walk = (first: string, last: string, word: string) => `  for ((i = ${first}; i < ${last}; i++)); do
    word=${word}
    if [[ -n $kind ]]; then
      [[ $word == '=' ]] && continue
      [[ $flag == --vault ]] && vault=$word
      kind=''
    elif [[ $word == -* ]]; then
      flag=$word
      _notewright_flag_value "$at:$word"
    elif _notewright_is_command "\${at:+$at }$word"; then
      at=\${at:+$at }$word
    else
      number=$((number + 1))
    fi
  done`

const lists = `_notewright_list() {
  command notewright completion --list "$1" "--typed=$2" \${3:+"--vault=$3"} 2>/dev/null </dev/null
}
`

function bashScript(commands: readonly CompletedCommand[]): string {
  const rows = commands.map(({ path, subcommands, flags }) => {
    const words = quoted(subcommands.map(({ name }) => name).join(' '))
    return `    ${quoted(path)}) commands=${words} flags=${quoted(flags.flatMap(({ names }) => names).join(' '))} ;;`
  })
  return `# Completion of notewright for bash. To load it: source <(notewright completion bash)
${tables(commands)}
${lists}
_notewright_words() {
  case "$1" in
${rows.join('\n')}
  esac
}

_notewright() {
  local cur=\${COMP_WORDS[COMP_CWORD]} at='' kind='' flag='' vault='' commands='' flags='' word='' line='' typed=''
  local -i i=0 number=0
  COMPREPLY=()
${walk('1', 'COMP_CWORD', '${COMP_WORDS[i]}')}
  [[ $cur == '=' ]] && cur=''
  if [[ -z $kind ]]; then
    _notewright_words "$at"
    if [[ $cur == -* ]]; then
      kind="words $flags"
    else
      _notewright_argument_value "$at:$number"
      [[ -n $commands && $number == 0 ]] && kind="words $commands"
    fi
  fi
  case $kind in
    'words '*) COMPREPLY=($(compgen -W "\${kind#words }" -- "$cur")) ;;
    notes | tags)
      typed=\${cur//\\\\/}
      typed=\${typed#[\\'\\"]}
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(_notewright_list "$kind" "$typed" "\${vault//\\\\/}")
      # Lets readline quote the blanks in a name.
      compopt -o filenames 2>/dev/null
      ;;
    folders)
      while IFS= read -r line; do COMPREPLY+=("$line"); done < <(compgen -d -- "$cur")
      compopt -o filenames 2>/dev/null
      ;;
    files) compopt -o default 2>/dev/null ;;
  esac
}

complete -F _notewright notewright
`
}

function zshScript(commands: readonly CompletedCommand[]): string {
  const described = (name: string, about: string) => quoted(`${name.replaceAll(':', '\\:')}:${about}`)
  const rows = commands.map(({ path, subcommands, flags }) => {
    const words = subcommands.map(({ name, about }) => described(name, about)).join(' ')
    const names = flags.flatMap((flag) => flag.names.map((name) => described(name, flag.about))).join(' ')
    return `    ${quoted(path)}) commands=(${words}) flags=(${names}) ;;`
  })
  return `#compdef notewright
# Completion of notewright for zsh. To load it: source <(notewright completion zsh)
${tables(commands)}
${lists}
_notewright_words() {
  case "$1" in
${rows.join('\n')}
  esac
}

_notewright() {
  local cur=$words[CURRENT] at= kind= flag= vault= word=
  local -i i=0 number=0
  local -a commands flags found
${walk('2', 'CURRENT', '${(Q)words[i]}')}
  if [[ -z $kind ]]; then
    _notewright_words "$at"
    if [[ $cur == -* ]]; then
      _describe -o 'flag' flags
      return
    fi
    if (( $#commands && number == 0 )); then
      _describe 'command' commands
      return
    fi
    _notewright_argument_value "$at:$number"
  fi
  case $kind in
    'words '*)
      found=(\${=kind#words })
      compadd -a found
      ;;
    notes|tags)
      found=("\${(@f)$(_notewright_list "$kind" "\${(Q)cur}" "$vault")}")
      [[ -n $found[1] ]] && compadd -M 'm:{[:lower:][:upper:]}={[:upper:][:lower:]}' -a found
      ;;
    folders) _files -/ ;;
    files) _files ;;
  esac
}

compdef _notewright notewright
`
}

function fishScript(commands: readonly CompletedCommand[]): string {
  const text = (words: string) => `'${words.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
  const waiting = commands.flatMap(({ path, flags }) =>
    flags.flatMap(({ names, values }) => (values === undefined ? [] : names.map((name) => text(`${path}:${name}`)))),
  )
  const known = commands.filter(({ path }) => path !== '').map(({ path }) => text(path))
  const valuesOf = (values: Values): string => {
    switch (values.kind) {
      case 'words':
        return `-f -a ${text(values.words.join(' '))}`
      case 'notes':
      case 'tags':
        return `-f -a '(__notewright_list ${values.kind})'`
      case 'folders':
        return "-f -a '(__fish_complete_directories)'"
      case 'files':
        return '-F'
      case 'none':
        return '-f'
    }
  }
  const rows = commands.flatMap(({ path, subcommands, flags, values }) => [
    ...subcommands.map(
      ({ name, about }) =>
        `complete -c notewright -n ${text(`__notewright_at ${quoted(path)} 0`)} -f -a ${name} -d ${text(about)}`,
    ),
    ...flags.map(({ names, about, values: taken }) => {
      const [long, short] = [names.find((name) => name.startsWith('--')), names.find((name) => /^-\w$/.test(name))]
      const name = [long && `-l ${long.slice(2)}`, short && `-s ${short.slice(1)}`].filter(Boolean).join(' ')
      const takes = taken === undefined ? '' : ` -r ${valuesOf(taken)}`
      return `complete -c notewright -n ${text(`__notewright_at ${quoted(path)}`)} ${name}${takes} -d ${text(about)}`
    }),
    ...values.map((value, number) => {
      const last = number === values.length - 1 ? ' more' : ''
      return `complete -c notewright -n ${text(`__notewright_at ${quoted(path)} ${number}${last}`)} ${valuesOf(value)}`
    }),
  ])
  return `# Completion of notewright for fish. To load it: notewright completion fish | source
function __notewright_read
    # Sets the command so far, the number of its arguments, and the vault.
    set -g __notewright_command ''
    set -g __notewright_number 0
    set -g __notewright_vault
    set -l flag ''
    set -l words (commandline -opc)
    for word in $words[2..-1]
        if test -n "$flag"
            test "$flag" = --vault; and set -g __notewright_vault --vault=$word
            set flag ''
        else if string match -q -- '-*' $word
            contains -- "$__notewright_command:$word" ${waiting.join(' ')}; and set flag $word
        else if contains -- (string trim -- "$__notewright_command $word") ${known.join(' ')}
            set -g __notewright_command (string trim -- "$__notewright_command $word")
        else
            set -g __notewright_number (math $__notewright_number + 1)
        end
    end
end

function __notewright_at
    __notewright_read
    test "$__notewright_command" = "$argv[1]"; or return 1
    test (count $argv) -lt 2; and return 0
    test "$argv[2]" = "$__notewright_number"; and return 0
    test (count $argv) -gt 2; and test $__notewright_number -gt $argv[2]
end

function __notewright_list
    __notewright_read
    command notewright completion --list $argv[1] --typed=(string unescape -- (commandline -ct)) $__notewright_vault 2>/dev/null </dev/null
end

complete -c notewright -f
${rows.join('\n')}
`
}
