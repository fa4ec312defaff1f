import { existsSync, realpathSync, statSync } from 'node:fs'
import { dirname, join, parse, resolve } from 'node:path'
import { Failure } from '../../../core/errors.js'
import { processSurroundings, type Surroundings, stateFolders } from '../state/index.js'
import { holdsMarkdown } from './holds-markdown.js'
import { knownFolders, rememberFolder } from './known-folders.js'
import { obsidianVaults } from './obsidian-registry.js'

export interface FoundVault {
  /** Real path of the folder. */
  root: string
  /** How it was found, for people: `--vault`, `NOTEWRIGHT_VAULT`, `the configuration`, `this folder`, `Obsidian`. */
  from: string
  /** The vault the current folder is in, when another one was chosen all the same. */
  passedOver?: string
}

export interface VaultWish {
  path: string
  source: 'flag' | 'environment' | 'file'
  /** The environment variable that named it. */
  variable?: string
}

/** Asks the person whether a folder that holds notes is a vault. undefined: they gave no answer. */
export type AskAboutFolder = (folder: string) => Promise<boolean | undefined>

/**
 * What a person named (flag, then environment, then configuration) wins over what we can guess: the vault around the
 * current folder, then the current folder itself where it holds notes and the person says that it is one, then the vault
 * last opened in Obsidian. A named folder that is not there is an error, never a guess.
 */
export async function findVault(
  wish: VaultWish | undefined,
  surroundings: Surroundings = processSurroundings(),
  ask?: AskAboutFolder,
): Promise<FoundVault> {
  if (wish?.source === 'flag') return namedVault(wish, surroundings)
  const around = vaultAround(surroundings)
  if (wish !== undefined) {
    const found = namedVault(wish, surroundings)
    return around === undefined || around === found.root ? found : { ...found, passedOver: around }
  }
  if (around !== undefined) return { root: around, from: 'this folder' }
  const here = unmarkedNotes(surroundings)
  if (here !== undefined && ask !== undefined && (await isSaidToBeVault(here, surroundings, ask))) {
    return { root: here, from: 'this folder' }
  }
  for (const path of await obsidianVaults(surroundings)) {
    const root = realFolder(path)
    if (root === undefined || isTooWide(root, surroundings)) continue
    return { root, from: 'Obsidian', ...(isUndecided(here, surroundings) && { passedOver: here }) }
  }
  throw here === undefined ? nothingFound(surroundings) : notYetAVault(here)
}

function namedVault(wish: VaultWish, surroundings: Surroundings): FoundVault {
  const from = wish.source === 'flag' ? '--vault' : (wish.variable ?? 'the configuration')
  const path = resolve(surroundings.currentFolder, withHome(wish.path, surroundings.home))
  const root = realFolder(path)
  if (root === undefined) {
    const exists = existsSync(path)
    const text = exists ? `Vault is not a folder: ${path}` : `Vault folder not found: ${path}`
    throw new Failure(exists ? 'invalid-input' : 'not-found', text, { hint: `It was named by ${from}.` })
  }
  if (wish.source !== 'flag' && isTooWide(root, surroundings)) {
    throw new Failure('invalid-input', `${root} is too wide to be taken for a vault (named by ${from}).`, {
      hint: `If you mean it, say so: --vault ${wish.path}`,
    })
  }
  return { root, from }
}

/** The nearest folder, from the current one upward, that is marked as a vault, or that the person has said to be one. */
export function vaultAround(surroundings: Surroundings): string | undefined {
  let folder = realFolder(surroundings.currentFolder)
  const known = knownFolders(stateFolders(surroundings).state)
  while (folder !== undefined && !isTooWide(folder, surroundings)) {
    if (isMarked(folder) || known.get(folder)) return folder
    folder = dirname(folder)
  }
  return undefined
}

/** The current folder, where it holds notes though nothing marks it as a vault. */
export function unmarkedNotes(surroundings: Surroundings): string | undefined {
  const folder = realFolder(surroundings.currentFolder)
  return folder !== undefined && !isTooWide(folder, surroundings) && holdsMarkdown(folder) ? folder : undefined
}

/** Whoever said that a folder is no vault need not be reminded of it. */
function isUndecided(folder: string | undefined, surroundings: Surroundings): boolean {
  return folder !== undefined && !knownFolders(stateFolders(surroundings).state).has(folder)
}

/** Asked once: the answer is remembered, whichever it is. */
async function isSaidToBeVault(folder: string, surroundings: Surroundings, ask: AskAboutFolder): Promise<boolean> {
  const { state } = stateFolders(surroundings)
  const said = knownFolders(state).get(folder)
  if (said !== undefined) return said
  const answer = await ask(folder)
  if (answer !== undefined) await rememberFolder(state, folder, answer)
  return answer === true
}

const isMarked = (folder: string): boolean =>
  ['.obsidian', '.notewrightignore'].some((mark) => existsSync(join(folder, mark)))

/** The root of a disk or a whole home folder: only by an explicit flag. */
function isTooWide(root: string, { home }: Surroundings): boolean {
  return root === parse(root).root || root === realFolder(home)
}

export function realFolder(path: string): string | undefined {
  try {
    const real = realpathSync.native(path)
    return statSync(real).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

function withHome(path: string, home: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path
}

/** Nobody could be asked, or they said no. */
function notYetAVault(folder: string): Failure {
  return new Failure('not-found', `No vault is set. ${folder} holds Markdown notes, but is not known as a vault.`, {
    hint: 'To use it: --vault . To use it from now on: notewright config set vault .',
  })
}

function nothingFound({ currentFolder }: Surroundings): Failure {
  const places = [
    'the --vault option',
    'NOTEWRIGHT_VAULT and OBSIDIAN_VAULT_PATH',
    'your configuration (notewright config get vault)',
    `${currentFolder} and the folders above it (a vault holds .obsidian or .notewrightignore, or Markdown notes)`,
    "Obsidian's list of vaults",
  ]
  return new Failure('not-found', `No vault found. Looked at:\n${places.map((place) => `  - ${place}`).join('\n')}`, {
    hint: 'Name the folder of your notes: --vault FOLDER, or once and for all: notewright config set vault FOLDER',
  })
}
