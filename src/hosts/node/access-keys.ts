import { createHash, randomBytes } from 'node:crypto'
import { join } from 'node:path'
import type { ConsentLevel } from '../../core/approval/index.js'
import { Failure } from '../../core/errors.js'
import { type StateSchema, stateDatabase } from './state-database.js'

/** The routes that a key can open: the API at `/v1`, and MCP at `/mcp`. */
export const keyRoutes = ['api', 'mcp'] as const
export type KeyRoute = (typeof keyRoutes)[number]

/** The permissions of an access key. Only a hash of the secret is stored. */
export interface AccessKey {
  /** Six hex digits, never used twice. */
  id: string
  name: string
  routes: readonly KeyRoute[]
  /** Real paths of the vaults' folders; `all` for every vault that is served. */
  vaults: readonly string[] | 'all'
  level: ConsentLevel
  /** An approval form that the client sends back counts as the user's own answer. */
  trustsForms: boolean
  createdAt: string
  lastUsedAt?: string
  revokedAt?: string
}

type NewAccessKey = Pick<AccessKey, 'name' | 'routes' | 'vaults' | 'level' | 'trustsForms'>

/** The access keys of this computer's servers. Every check reads the file, so a revoked key is refused immediately. */
export interface AccessKeys {
  /** The secret is shown to the user now, and never again. */
  create(wanted: NewAccessKey): { key: AccessKey; secret: string }
  /** The active keys, the oldest first. */
  list(): AccessKey[]
  /** Revokes a key by name or id. Fails if no active key has it. */
  revoke(which: string): AccessKey
  /** The key that a secret belongs to, in force or revoked. */
  find(secret: string): AccessKey | undefined
  /** Notes that a key was used, at most once a minute. */
  used(key: AccessKey): void
  close(): void
}

const schema: StateSchema = {
  contents: 'access keys',
  versions: [
    [
      `CREATE TABLE IF NOT EXISTS keys (id TEXT PRIMARY KEY, name TEXT NOT NULL, hash TEXT NOT NULL UNIQUE, terms TEXT NOT NULL, created_at TEXT NOT NULL, last_used_at TEXT, revoked_at TEXT)`,
      `CREATE UNIQUE INDEX IF NOT EXISTS keys_in_force ON keys (name) WHERE revoked_at IS NULL`,
    ],
  ],
}

const columns = 'id, name, terms, created_at, last_used_at, revoked_at'
const usedEveryMs = 60_000

export function accessKeys(
  state: string,
  { onTrouble = () => {}, now = Date.now }: { onTrouble?(text: string): void; now?(): number } = {},
): AccessKeys {
  const file = stateDatabase(join(state, 'serve', 'access-keys.db'), {
    schema,
    onDamage: (aside) =>
      onTrouble(
        `The file with the access keys is damaged, so no access key works. Create new keys. The damaged file was moved to ${aside}.`,
      ),
  })
  const time = () => new Date(now()).toISOString()
  return {
    create(wanted) {
      checkName(wanted.name)
      if (wanted.routes.length === 0)
        throw new Failure('invalid-input', 'An access key needs at least one of: api, mcp.')
      const secret = `nwk-${randomBytes(32).toString('base64url')}`
      const { name, ...terms } = wanted
      const key: AccessKey = { id: randomBytes(3).toString('hex'), ...wanted, createdAt: time() }
      file.change((driver) => {
        if (driver.first('SELECT 1 FROM keys WHERE name = ? AND revoked_at IS NULL', [name]) !== undefined) {
          throw new Failure('conflict', `An access key named ${name} already exists.`, {
            hint: `Choose another name, or revoke it first: notewright serve keys revoke ${name}`,
          })
        }
        driver.run('INSERT INTO keys (id, name, hash, terms, created_at) VALUES (?, ?, ?, ?, ?)', [
          key.id,
          name,
          hashOf(secret),
          JSON.stringify(terms),
          key.createdAt,
        ])
      })
      return { key, secret }
    },

    list: () =>
      (
        file.look((driver) =>
          driver.all(`SELECT ${columns} FROM keys WHERE revoked_at IS NULL ORDER BY created_at, name`),
        ) ?? []
      ).map(keyFromRow),

    revoke(which) {
      const found = file.look((driver) =>
        driver.first(`SELECT ${columns} FROM keys WHERE revoked_at IS NULL AND (name = ?1 OR id = ?1)`, [which]),
      )
      if (found === undefined) {
        throw new Failure('not-found', `Access key not found: ${which.slice(0, 60)}`, {
          hint: 'To list the keys: notewright serve keys list',
        })
      }
      const key = { ...keyFromRow(found), revokedAt: time() }
      file.change((driver) => driver.run('UPDATE keys SET revoked_at = ? WHERE id = ?', [key.revokedAt, key.id]))
      return key
    },

    // Found by hash, so that the time it takes reveals nothing about the secret.
    find(secret) {
      const row = file.look((driver) => driver.first(`SELECT ${columns} FROM keys WHERE hash = ?`, [hashOf(secret)]))
      return row && keyFromRow(row)
    },

    used({ id, lastUsedAt }) {
      if (lastUsedAt !== undefined && now() - Date.parse(lastUsedAt) < usedEveryMs) return
      file.change((driver) => driver.run('UPDATE keys SET last_used_at = ? WHERE id = ?', [time(), id]))
    },

    close: () => file.close(),
  }
}

/** Names appear in the history of changes, so they are plain, and no two differ only in case. */
function checkName(name: string): void {
  if (/^[a-z0-9][a-z0-9-]{0,39}$/.test(name)) return
  throw new Failure('invalid-input', `${JSON.stringify(name.slice(0, 60))} is not a valid name for an access key.`, {
    hint: 'Use up to 40 lower-case letters, digits and hyphens, e.g. my-editor.',
  })
}

const hashOf = (secret: string): string => createHash('sha256').update(secret).digest('hex')

function keyFromRow([id, name, terms, createdAt, lastUsedAt, revokedAt]: unknown[]): AccessKey {
  return {
    id: String(id),
    name: String(name),
    ...(JSON.parse(String(terms)) as Omit<NewAccessKey, 'name'>),
    createdAt: String(createdAt),
    ...(typeof lastUsedAt === 'string' && { lastUsedAt }),
    ...(typeof revokedAt === 'string' && { revokedAt }),
  }
}
