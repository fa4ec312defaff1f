import { existsSync } from 'node:fs'
import { Argument, Option } from 'commander'
import { Failure } from '../../../core/errors.js'
import { vaultFolders } from '../../../hosts/node/state-folders.js'
import type { Shell } from '../program/completion-scripts.js'
import { completionScript, shells } from '../program/completion-scripts.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { withReadableNotebook } from '../session/open-notebook.js'
import { locateVault, readSettings } from '../session/settings.js'

export const declareCompletion: DeclareCommand = (command, run) => {
  command
    .addArgument(new Argument('[shell]', 'your shell').choices(shells))
    .addOption(new Option('--list <what>', 'names for the shell').choices(['notes', 'tags']).hideHelp())
    .addOption(new Option('--typed <text>', 'the word so far').hideHelp())
    .addHelpText(
      'after',
      examples(
        ['source <(notewright completion bash)', 'in ~/.bashrc'],
        ['source <(notewright completion zsh)', 'in ~/.zshrc, after compinit'],
        ['notewright completion fish | source', 'in ~/.config/fish/config.fish'],
      ),
    )
    .action((shell: Shell | undefined, options: ListOptions) =>
      run((to) => (options.list === undefined ? printScript(to, shell) : listNames(to, options))),
    )
}

interface ListOptions {
  list?: 'notes' | 'tags'
  typed?: string
}

async function printScript({ terminal }: Invocation, shell: Shell | undefined): Promise<void> {
  if (shell === undefined) {
    throw new Failure('invalid-input', 'Name your shell.', { hint: 'For example: notewright completion bash' })
  }
  const { createProgram } = await import('../run-command-line.js')
  const { fixedNames } = await import('../program/completion-names.js')
  terminal.print(completionScript(shell, await createProgram(async () => {}), fixedNames).trimEnd())
}

/**
 * Prints names that begin with what was typed, from the index as it is. Without an index, and after any failure,
 * nothing: a shell has no place for a message.
 */
async function listNames(invocation: Invocation, { list, typed = '' }: ListOptions): Promise<void> {
  // The other properties stay lazy: opening standard input takes a while.
  const terminal = Object.create(invocation.terminal, { canAsk: { value: false }, say: { value: () => {} } })
  const quiet: Invocation = { ...invocation, terminal }
  try {
    const setting = await readSettings(quiet)
    const { root } = await locateVault(quiet, setting)
    if (!existsSync(vaultFolders(setting.folders, root).index)) return
    await withReadableNotebook(quiet, async ({ index }) => {
      const names = list === 'tags' ? (await index.tags()).map(({ tag }) => tag) : noteNames(await index.files(), typed)
      for (const name of beginningWith(typed, names)) invocation.terminal.print(name)
    })
  } catch {
    invocation.signal.throwIfAborted()
  }
}

/** Names of notes where they are unique, else paths. After a slash, or where no name fits, paths alone. */
function noteNames(files: readonly string[], typed: string): string[] {
  const notes = files.filter((path) => /\.(?:md|canvas)$/i.test(path))
  if (typed.includes('/')) return notes
  const nameOf = (path: string) => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')
  const times = new Map<string, number>()
  for (const path of notes) times.set(nameOf(path).toLowerCase(), (times.get(nameOf(path).toLowerCase()) ?? 0) + 1)
  const names = notes.map((path) => (times.get(nameOf(path).toLowerCase()) === 1 ? nameOf(path) : path))
  return beginningWith(typed, names).length > 0 ? names : notes
}

function beginningWith(typed: string, names: readonly string[]): string[] {
  const exact = names.filter((name) => name.startsWith(typed))
  if (exact.length > 0) return exact
  return names.filter((name) => name.toLowerCase().startsWith(typed.toLowerCase()))
}
