import type { RuleTexts } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import { isRecord } from '../../../core/is-record.js'
import { decodeRules } from '../../../core/vault/index.js'
import { type FileAccess, nodeFiles, type OpenFolder } from '../files/index.js'

export interface VaultRulesOptions {
  /** Absolute path of the vault, without links. */
  root: string
  /** Told of rules that a vault may not have. */
  onTrouble?(text: string): void
  files?: FileAccess
}

const folderName = '.notewright'
const fileName = 'permissions.json'

/** Where a vault keeps its rules: the one path with a dot that is read, and only here. */
export const vaultRulesFile = `${folderName}/${fileName}`

const sizeLimit = 64 << 10
const mostRules = 1000

/** The rules a vault brings along: `{ "deny": [...], "ask": [...] }`. They can only restrict; what cannot be read is a failure, not no rules. */
export async function vaultRules({
  onTrouble = () => {},
  files = nodeFiles,
  ...place
}: VaultRulesOptions): Promise<RuleTexts> {
  const text = await within(files, place.root, (root) => readText(files, root)).catch(unread)
  if (text === undefined) return { from: 'vault' }
  const { deny, ask, allow } = listsIn(text)
  if (allow.length > 0) {
    onTrouble(
      `${vaultRulesFile}: a vault can only restrict, so its list of allow rules (${allow.length}) was left out.`,
    )
  }
  return { from: 'vault', file: vaultRulesFile, deny, ask }
}

async function readText(files: FileAccess, root: OpenFolder): Promise<string | undefined> {
  const place = await files.stat(root.at(folderName))
  if (place === undefined) return undefined
  if (place.kind !== 'folder') throw wrong(`${folderName} is not a folder`)
  return within(files, `${root.realPath}/${folderName}`, async (folder) => {
    if (folder.realPath !== `${root.realPath}/${folderName}`) throw wrong('a link leads elsewhere')
    const stat = await files.stat(folder.at(fileName))
    if (stat === undefined) return undefined
    if (stat.kind !== 'file') throw wrong('it is not a regular file')
    const file = await files.open(folder.at(fileName), 'read')
    if (file === undefined) return undefined
    try {
      const { kind, size } = await files.statOpen(file)
      if (kind !== 'file') throw wrong('it is not a regular file')
      if (size > sizeLimit) throw wrong(`it has more than ${sizeLimit} bytes`)
      const bytes = new Uint8Array(size)
      const read = await files.read(file, bytes, 0)
      const text = decodeRules(bytes.subarray(0, read))
      if (text === undefined) throw wrong('it is neither UTF-8 nor UTF-16 text')
      return text
    } finally {
      await files.close(file)
    }
  })
}

async function within<T>(
  files: FileAccess,
  path: string,
  work: (folder: OpenFolder) => Promise<T>,
): Promise<T | undefined> {
  const folder = await files.openFolder(path)
  if (folder === undefined) return undefined
  try {
    return await work(folder)
  } finally {
    await files.closeFolder(folder)
  }
}

type RuleLists = Record<'deny' | 'ask' | 'allow', string[]>

function listsIn(text: string): RuleLists {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    throw wrong(`not valid JSON (${(error as Error).message})`)
  }
  if (!isRecord(tree)) throw wrong('expected an object with lists of rules')
  const lists: RuleLists = { deny: [], ask: [], allow: [] }
  for (const [name, rules] of Object.entries(tree)) {
    if (!Object.hasOwn(lists, name)) throw wrong(`unknown list ${JSON.stringify(name)}`, 'There is deny and ask.')
    if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === 'string')) {
      throw wrong(`${name} must be a list of rules`)
    }
    if (rules.length > mostRules) throw wrong(`${name} has more than ${mostRules} rules`)
    lists[name as keyof RuleLists] = rules
  }
  return lists
}

function wrong(reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `${vaultRulesFile}: ${reason}`, {
    hint: hint ?? 'Mend the file in the vault, or move it away.',
  })
}

function unread(error: unknown): never {
  const { code } = error as NodeJS.ErrnoException
  if (code === 'EACCES' || code === 'EPERM') throw wrong('you have no permission to read it')
  throw code?.startsWith('E') ? wrong(`reading it failed (${code})`) : error
}
