import { createInterface } from 'node:readline/promises'
import { Writable } from 'node:stream'
import { text as readAll } from 'node:stream/consumers'
import type { Command } from 'commander'
import { Failure } from '../../../core/errors.js'
import { findProvider } from '../../../core/providers/index.js'
import { keyRows, removeKey, storeKey } from '../../../hosts/node/settings/providers.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { withoutSubcommand } from '../program/options.js'
import { settingsLocation } from '../session/settings.js'
import { type Terminal, visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export const declareKeys: DeclareCommand = (command, run) => {
  command.addHelpText('after', examples(['notewright keys list'], ['notewright keys set openai']))
  const set = command
    .command('set')
    .description(
      'Store an API key in the system keyring.\nWithout a keyring, the key is stored in a private file outside your vaults.',
    )
    .argument('<provider>', 'e.g. openai, anthropic, gemini, openrouter')
    .addHelpText(
      'after',
      examples(
        ['notewright keys set openai', 'asks for the key; it is not shown'],
        ['notewright keys set openai < key.txt', 'reads it from standard input'],
      ),
    )
    .action((provider: string, _options, command: Command) => {
      if (command.args.length > 1) throw keyAsArgument()
      return run((to) => keysSet(to, provider))
    })
  command
    .command('list')
    .description('List the stored keys and their sources, never the keys themselves.')
    .addHelpText('after', examples(['notewright keys list'], ['notewright keys list --json']))
    .action(() => run((to) => keysList(to)))
  command
    .command('remove')
    .description('Remove a stored key. Environment variables are not changed.')
    .argument('<provider>', 'e.g. openai')
    .addHelpText('after', examples(['notewright keys remove openai']))
    .action((provider: string) => run((to) => keysRemove(to, provider)))
  set.allowExcessArguments()
  withoutSubcommand(command, () => run((to) => keysList(to)))
}

/** The input is not echoed in the error, since it may be a key. */
function keyAsArgument(): Failure {
  return new Failure(
    'invalid-input',
    'The key was not stored: on the command line, other users and your shell history can see it.',
    {
      hint: 'Type only: notewright keys set PROVIDER. If that was a real key, remove it from your shell history.',
    },
  )
}

export async function keysSet(invocation: Invocation, id: string): Promise<void> {
  const { terminal, signal } = invocation
  const { name } = findProvider(id)
  const typed = await typedKey(terminal, name, signal)
  const { provider, source, where, hiddenBy } = await storeKey(settingsLocation(invocation), id, typed)
  if (terminal.json) return terminal.printJson({ provider, source, ...(where && { where }) })
  terminal.say(`Stored the API key for ${name} in ${where ? visibleLine(where) : 'the system keyring'}.`)
  if (hiddenBy) terminal.say(`${hiddenBy} is set and takes precedence over the stored key.`)
}

export async function keysList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const keys = await keyRows(settingsLocation(invocation))
  if (terminal.json) return terminal.printJson({ keys })
  if (keys.length === 0) return terminal.say('No API keys. To add one: notewright keys set PROVIDER')
  for (const { provider, source, where } of keys) {
    terminal.print(`${padToWidth(provider, 12)} ${terminal.style.faint(where ? visibleLine(where) : source)}`)
  }
}

export async function keysRemove(invocation: Invocation, id: string): Promise<void> {
  const { terminal } = invocation
  const { provider, name, left } = await removeKey(settingsLocation(invocation), id)
  if (terminal.json) return terminal.printJson({ provider, removed: true })
  terminal.say(`Removed the API key for ${name}.${left ? ` ${left} is still set.` : ''}`)
}

/** From a pipe, or typed without being shown. */
async function typedKey(terminal: Terminal, name: string, signal: AbortSignal): Promise<string> {
  if (!terminal.canAsk) return readAll(terminal.input)
  const nowhere = new Writable({ write: (_chunk, _encoding, done) => done() })
  // Opened before the question is shown, because it turns off the echo.
  const lines = createInterface({ input: terminal.input, output: nowhere, terminal: true })
  terminal.messages.write(`API key for ${name} (not shown): `)
  const interrupted = new AbortController()
  lines.once('SIGINT', () => interrupted.abort())
  const closed = new Promise<string>((resolve) => lines.once('close', () => resolve('')))
  try {
    return await Promise.race([lines.question('', { signal: AbortSignal.any([signal, interrupted.signal]) }), closed])
  } finally {
    lines.close()
    terminal.messages.write('\n')
  }
}
