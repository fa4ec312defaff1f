import {
  type GrantStore,
  invalidVaultRules,
  type RuleTexts,
  type StoredGrant,
  vaultRulesFile,
  vaultRuleTexts,
} from '../../core/approval/index.js'
import type { Config } from '../../core/config/index.js'
import { Failure } from '../../core/errors.js'
import type { FileAccess } from './files/file-access.js'
import { insideFolder } from './files/inside-folder.js'
import { nodeFiles } from './files/node-files.js'
import type { FolderNotebook } from './open-notebook.js'
import { usingDatabase, vaultState } from './state-database.js'

/** The notebook for the user's own queries, without the notes that rules deny. */
export async function readableNotebook(
  notebook: FolderNotebook,
  { permissions }: Pick<Config, 'permissions'>,
  onTrouble: (text: string) => void,
): Promise<FolderNotebook> {
  const own = await vaultRules({ root: notebook.root, onTrouble })
  const lists = [{ from: 'config', deny: permissions.deny }, own].filter(({ deny = [] }) => deny.length > 0)
  // Most vaults have no such rules, and start faster without their parser.
  if (lists.length === 0) return notebook
  const { withoutDeniedNotes } = await import('./denied-notes.js')
  return withoutDeniedNotes(notebook, lists)
}

interface VaultRulesOptions {
  /** Absolute path of the vault, without links. */
  root: string
  /** Receives a message about rules that a vault may not have. */
  onTrouble?(text: string): void
  files?: FileAccess
}

const rulesSizeLimit = 64 << 10

/** The rules in a vault's own file. An unreadable file is a failure, not an empty list. */
export async function vaultRules({
  onTrouble = () => {},
  files = nodeFiles,
  ...place
}: VaultRulesOptions): Promise<RuleTexts> {
  const text = await insideFolder(files, place.root).read(vaultRulesFile, rulesSizeLimit).catch(withFileName)
  if (text === undefined) return { from: 'vault' }
  return vaultRuleTexts(text, onTrouble)
}

/** Failures name the file. */
function withFileName(error: unknown): never {
  throw error instanceof Failure ? invalidVaultRules(error.message) : error
}

interface FileGrantsOptions {
  /** The vault's state folder, outside the vault. */
  folder: string
  /** Receives the reason why stored decisions cannot be read. */
  onTrouble?(text: string): void
}

/**
 * Permanent grants, in the state of the vault. Each load reads them again, so a grant revoked in one window is gone in
 * all of them.
 */
export function storedGrants({ folder, onTrouble = () => {} }: FileGrantsOptions): GrantStore {
  const state = vaultState(folder, onTrouble)
  return {
    /** If the state cannot be read, nothing is allowed: calls ask again, and none fails. */
    async load() {
      try {
        const rows = usingDatabase(state, () =>
          state.look((driver) => driver.all('SELECT id, rule, created_at, about FROM grants ORDER BY rowid')),
        )
        return (rows ?? []).map(grantIn)
      } catch (error) {
        onTrouble(`Can't read the rules stored in ${folder}, so they don't apply (${(error as Error).message}).`)
        return []
      }
    },
    async add({ id, rule, createdAt, about = null }) {
      usingDatabase(state, () =>
        state.change(
          (driver) =>
            driver.run('INSERT OR REPLACE INTO grants (id, rule, created_at, about) VALUES (?, ?, ?, ?)', [
              id,
              rule,
              createdAt,
              about,
            ]),
          { durable: true },
        ),
      )
    },
    async revoke(id) {
      return usingDatabase(state, () =>
        state.change(
          (driver) => {
            const isFound = driver.first('SELECT 1 FROM grants WHERE id = ?', [id]) !== undefined
            driver.run('DELETE FROM grants WHERE id = ?', [id])
            return isFound
          },
          { durable: true },
        ),
      )
    },
  }
}

function grantIn([id, rule, createdAt, about]: unknown[]): StoredGrant {
  return {
    id: String(id),
    rule: String(rule),
    createdAt: String(createdAt),
    ...(typeof about === 'string' && { about }),
  }
}
