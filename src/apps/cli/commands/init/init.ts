import { existsSync } from 'node:fs'
import { readFile } from 'node:fs/promises'
import { Failure } from '../../../../core/errors.js'
import { decodeNote, showDiff } from '../../../../core/vault/index.js'
import { findVault, obsidianVaults } from '../../../../hosts/node/find-vault/index.js'
import type { Invocation } from '../../program/invocation.js'
import { locateVault, readSettings } from '../../session/locate-vault.js'
import { visibleLine, visibleText } from '../../terminal/index.js'
import { type ClientFile, clientFile } from './client-files.js'
import { type ClientName, clientNames } from './client-names.js'
import { withJsonEntry, withoutJsonEntry } from './json-entry.js'
import { withoutTomlEntry, withTomlEntry } from './toml-entry.js'
import { writeWithCopy } from './write-with-copy.js'

export interface InitOptions {
  client?: ClientName
  write?: boolean
  remove?: boolean
  readOnly?: boolean
}

export async function init(invocation: Invocation, options: InitOptions): Promise<void> {
  if (options.client === undefined) return listClients(invocation)
  const { terminal, surroundings } = invocation
  const client = clientFile(options.client, surroundings)
  const { file } = client
  const before = await readText(file)
  const argv = options.remove ? [] : await serverCommand(invocation, options)
  const after = newText(client, before ?? '', argv, options)
  const isSame = after === (before ?? '')
  const copy = !isSame && options.write ? await writeWithCopy(file, after, new Date()) : undefined
  const isWritten = !isSame && options.write === true
  if (terminal.json) {
    return terminal.printJson({
      client: options.client,
      file,
      changed: !isSame,
      written: isWritten,
      ...(copy && { backup: copy }),
      ...(!options.remove && { entry: client.entry(argv) }),
    })
  }
  if (isSame)
    return terminal.say(`${visibleLine(file)} ${options.remove ? 'does not name Notewright.' : 'is set up already.'}`)
  terminal.print(visibleText(diffOf(client, before ?? '', after)))
  if (!isWritten) return terminal.say(`Nothing was written. To write it: add --write`)
  terminal.say(`Written to ${visibleLine(file)}.${copy ? ` The file as it was: ${visibleLine(copy)}` : ''}`)
  terminal.say(client.after)
}

/** undefined where there is no such file. One that cannot be read is not taken for an empty one. */
async function readText(file: string): Promise<string | undefined> {
  const bytes = await readFile(file).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return undefined
    throw new Failure('internal', `${file} cannot be read: ${error.code ?? error.message}.`)
  })
  if (bytes === undefined) return undefined
  const { text, encoding } = decodeNote(bytes)
  if (encoding !== 'invalid') return text
  throw new Failure('not-utf8', `${file} is not valid UTF-8.`, { hint: 'Mend it first; nothing was written.' })
}

function newText(
  { form, place, entry, file }: ClientFile,
  before: string,
  argv: string[],
  { remove }: InitOptions,
): string {
  try {
    if (form === 'toml') return remove ? withoutTomlEntry(before, place) : withTomlEntry(before, place, entry(argv))
    return remove ? withoutJsonEntry(before, place) : withJsonEntry(before, place, entry(argv))
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    const hint = error.details.hint ?? 'Mend it first; nothing was written.'
    throw new Failure(error.code, `${file}: ${error.message}`, { hint })
  }
}

function diffOf({ file }: ClientFile, before: string, after: string): string {
  const encoder = new TextEncoder()
  return showDiff(file, encoder.encode(before), encoder.encode(after))
}

/** By full paths: programs that were not started from a terminal know no other. */
async function serverCommand(invocation: Invocation, { readOnly }: InitOptions): Promise<string[]> {
  const roots = await vaultRoots(invocation)
  const named = roots.flatMap((root) => ['--vault', root])
  return [process.execPath, process.argv[1], 'mcp', ...named, ...(readOnly ? ['--read-only'] : [])]
}

async function vaultRoots(invocation: Invocation): Promise<string[]> {
  const { options, surroundings, terminal } = invocation
  if (options.vaults !== undefined) {
    const found = options.vaults.map((path) => findVault({ path, source: 'flag' }, surroundings))
    return (await Promise.all(found)).map(({ root }) => root)
  }
  const { root } = await locateVault(invocation, await readSettings(invocation))
  const others = options.vault
    ? []
    : (await obsidianVaults(surroundings)).filter((path) => path !== root && existsSync(path))
  if (others.length > 0) {
    terminal.say(`Obsidian also knows ${others.map(visibleLine).join(', ')}. Name several with --vault, repeated.`)
  }
  return [root]
}

async function listClients({ terminal, surroundings }: Invocation): Promise<void> {
  const rows = await Promise.all(
    clientNames.map(async (name) => {
      const client = clientFile(name, surroundings)
      const text = await readFile(client.file, 'utf8').catch(() => '')
      return {
        client: name,
        title: client.title,
        file: client.file,
        found: existsSync(client.folder),
        set_up: isNamed(client, text),
      }
    }),
  )
  if (terminal.json) return terminal.printJson(rows)
  for (const { client, title, file, found, set_up } of rows) {
    const state = set_up ? 'set up' : found ? 'found' : 'not found'
    terminal.print(
      `${client.padEnd(15)} ${title.padEnd(15)} ${state.padEnd(10)} ${terminal.style.faint(visibleLine(file))}`,
    )
  }
  terminal.say('To see what would be written: notewright init --client NAME')
}

function isNamed({ form, place }: ClientFile, text: string): boolean {
  try {
    return (form === 'toml' ? withoutTomlEntry(text, place) : withoutJsonEntry(text, place)) !== text
  } catch {
    return false
  }
}
