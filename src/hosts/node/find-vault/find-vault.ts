import { realpath, stat } from 'node:fs/promises'
import { dirname, join, parse, resolve } from 'node:path'
import { Failure } from '../../../core/errors.js'
import { here, type Surroundings } from '../state/index.js'
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

/**
 * What a person named (flag, then environment, then configuration) wins over what we can guess: the vault around the
 * current folder, then the one last opened in Obsidian. A named folder that is not there is an error, never a guess.
 */
export async function findVault(wish: VaultWish | undefined, surroundings: Surroundings = here()): Promise<FoundVault> {
  const around = await vaultAround(surroundings)
  if (wish !== undefined) {
    const found = await namedVault(wish, surroundings)
    const passedOver = wish.source !== 'flag' && around !== undefined && around !== found.root ? around : undefined
    return passedOver === undefined ? found : { ...found, passedOver }
  }
  if (around !== undefined) return { root: around, from: 'this folder' }
  for (const path of await obsidianVaults(surroundings)) {
    const root = await realFolder(path)
    if (root !== undefined && !(await isTooWide(root, surroundings))) return { root, from: 'Obsidian' }
  }
  throw nothingFound(surroundings)
}

async function namedVault(wish: VaultWish, surroundings: Surroundings): Promise<FoundVault> {
  const from = wish.source === 'flag' ? '--vault' : (wish.variable ?? 'the configuration')
  const path = resolve(surroundings.currentFolder, withHome(wish.path, surroundings.home))
  const root = await realFolder(path)
  if (root === undefined) {
    const exists = await stat(path).then(
      () => true,
      () => false,
    )
    const text = exists ? `Vault is not a folder: ${path}` : `Vault folder not found: ${path}`
    throw new Failure(exists ? 'invalid-input' : 'not-found', text, { hint: `It was named by ${from}.` })
  }
  if (wish.source !== 'flag' && (await isTooWide(root, surroundings))) {
    throw new Failure('invalid-input', `${root} is too wide to be taken for a vault (named by ${from}).`, {
      hint: `If you mean it, say so: --vault ${wish.path}`,
    })
  }
  return { root, from }
}

/** The nearest folder, from the current one upward, that Obsidian or Notewright has marked as a vault. */
async function vaultAround(surroundings: Surroundings): Promise<string | undefined> {
  let folder = await realFolder(surroundings.currentFolder)
  while (folder !== undefined && !(await isTooWide(folder, surroundings))) {
    if (await isMarked(folder)) return folder
    folder = dirname(folder)
  }
  return undefined
}

async function isMarked(folder: string): Promise<boolean> {
  for (const mark of ['.obsidian', '.notewrightignore']) {
    const found = await stat(join(folder, mark)).catch(() => undefined)
    if (found !== undefined) return true
  }
  return false
}

/** The root of a disk or a whole home folder: only by an explicit flag. */
async function isTooWide(root: string, { home }: Surroundings): Promise<boolean> {
  return root === parse(root).root || root === (await realFolder(home))
}

async function realFolder(path: string): Promise<string | undefined> {
  try {
    const real = await realpath(path)
    return (await stat(real)).isDirectory() ? real : undefined
  } catch {
    return undefined
  }
}

function withHome(path: string, home: string): string {
  return path === '~' || /^~[/\\]/.test(path) ? join(home, path.slice(1)) : path
}

function nothingFound({ currentFolder }: Surroundings): Failure {
  const places = [
    'the --vault option',
    'NOTEWRIGHT_VAULT and OBSIDIAN_VAULT_PATH',
    'your configuration (notewright config get vault)',
    `${currentFolder} and the folders above it (a vault holds .obsidian or .notewrightignore)`,
    "Obsidian's list of vaults",
  ]
  return new Failure('not-found', `No vault found. Looked at:\n${places.map((place) => `  - ${place}`).join('\n')}`, {
    hint: 'Name the folder of your notes: --vault FOLDER, or once and for all: notewright config set vault FOLDER',
  })
}
