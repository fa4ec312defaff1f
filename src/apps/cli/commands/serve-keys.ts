import { basename } from 'node:path'
import type { ConsentLevel } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { AccessKey, AccessKeys, KeyRoute } from '../../../hosts/node/access-keys.js'
import { accessKeys, keyRoutes } from '../../../hosts/node/access-keys.js'
import { findVault } from '../../../hosts/node/find-vault.js'
import type { RequestHead } from '../../server/index.js'
import { credentialIn, isLoopbackHost, refusal } from '../../server/index.js'
import type { Invocation } from '../program/invocation.js'
import { locateVault, readSettings } from '../session/settings.js'
import { visibleLine } from '../terminal/terminal.js'

interface KeyOptions {
  use?: string[]
  level?: ConsentLevel
  allVaults?: boolean
  trustForms?: boolean
}

export async function openAccessKeys(invocation: Invocation): Promise<AccessKeys> {
  const { folders } = await readSettings(invocation)
  return accessKeys(folders.state, { onTrouble: (text) => invocation.terminal.say(visibleLine(text)) })
}

export async function createKey(invocation: Invocation, name: string, options: KeyOptions): Promise<void> {
  const { terminal } = invocation
  const keys = await openAccessKeys(invocation)
  const { key, secret } = keys.create({
    name,
    routes: options.use?.map(readRoute) ?? keyRoutes,
    vaults: options.allVaults ? 'all' : await vaultRoots(invocation),
    level: options.level ?? 'read-only',
    trustsForms: options.trustForms === true,
  })
  keys.close()
  if (terminal.json) return terminal.printJson({ ...key, secret })
  terminal.print(secret)
  terminal.say(`${lineOf(key)}\nThe key is shown only once. Clients send it as their API key.`)
}

export async function listKeys(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  const keys = await openAccessKeys(invocation)
  const rows = keys.list()
  keys.close()
  if (terminal.json) return terminal.printJson(rows)
  for (const key of rows) terminal.print(lineOf(key))
  if (rows.length === 0) terminal.say('No access keys yet. To create one: notewright serve keys create NAME')
}

export async function revokeKey(invocation: Invocation, which: string): Promise<void> {
  const { terminal } = invocation
  const keys = await openAccessKeys(invocation)
  const key = keys.revoke(which)
  keys.close()
  if (terminal.json) return terminal.printJson(key)
  terminal.say(`Revoked ${key.name}. Running servers reject it immediately.`)
}

/** Creates a first key for this vault, which can only read, where there is none. Answers its secret. */
export function firstKey(keys: AccessKeys, root: string): string | undefined {
  if (keys.list().length > 0) return undefined
  return keys.create({ name: 'default', routes: keyRoutes, vaults: [root], level: 'read-only', trustsForms: false })
    .secret
}

/** Remote machines need the user's explicit option and an existing access key. */
export function checkHost({ host, allowRemote }: { host: string; allowRemote?: boolean }, keys: AccessKeys): void {
  if (isLoopbackHost(host)) return
  if (!allowRemote) {
    throw new Failure('invalid-input', `With --host ${host}, other computers could connect.`, {
      hint: 'Remove --host to serve this computer only, or add --allow-remote.',
    })
  }
  if (keys.list().length === 0) {
    throw new Failure('invalid-input', 'Accepting other computers needs an access key.', {
      hint: 'Create one first: notewright serve keys create my-phone',
    })
  }
}

/** The client of a key: its changes, replies and taint are stored under this name. */
export const clientOf = ({ name, id }: Pick<AccessKey, 'name' | 'id'>): string => `${name}@${id}`

/** The key of an Authorization header, in force or revoked. */
export function keyIn(authorization: string | null | undefined, keys: AccessKeys): AccessKey | undefined {
  const secret = /^Bearer (\S+)$/.exec(authorization ?? '')?.[1]
  return secret === undefined ? undefined : keys.find(secret)
}

/** Reason why a request's key is refused; undefined if it is accepted. */
export function keyCheck(keys: AccessKeys, root: string) {
  return (request: RequestHead): Failure | undefined => {
    const key = keyIn(credentialIn(request.one), keys)
    if (key === undefined) {
      const isSent = request.all('authorization').length + request.all('x-api-key').length > 0
      return unauthorized(
        isSent
          ? 'This access key is unknown. To list the keys: notewright serve keys list'
          : 'The access key is missing. Send it as "Authorization: Bearer KEY". To create one: notewright serve keys create NAME',
      )
    }
    if (key.revokedAt !== undefined)
      return unauthorized(`The access key ${key.name} was revoked.`, 'revoked_access_key')
    const route = routeOf(request.path)
    if (route !== undefined && !key.routes.includes(route)) {
      return forbidden(`The access key ${key.name} can't use ${routeNames[route]}.`)
    }
    if (key.vaults !== 'all' && !key.vaults.includes(root)) {
      return forbidden(`The access key ${key.name} is not for the vault ${basename(root)}.`)
    }
    keys.used(key)
    return undefined
  }
}

const routeNames: Record<KeyRoute, string> = { api: 'the API (/v1)', mcp: 'MCP (/mcp)' }

function routeOf(path: string): KeyRoute | undefined {
  if (path === '/mcp' || path.startsWith('/mcp/')) return 'mcp'
  return path === '/v1' || path.startsWith('/v1/') ? 'api' : undefined
}

const unauthorized = (message: string, code = 'invalid_api_key'): Failure => refusal({ status: 401, code, message })
const forbidden = (message: string): Failure => refusal({ status: 403, code: 'access_key_scope', message })

function readRoute(word: string): KeyRoute {
  const route = keyRoutes.find((known) => known === word.trim())
  if (route !== undefined) return route
  throw new Failure('invalid-input', `Unknown value for --use: ${JSON.stringify(word)}.`, {
    hint: 'Use api, mcp, or api,mcp.',
  })
}

async function vaultRoots(invocation: Invocation): Promise<string[]> {
  const { options, surroundings } = invocation
  if (options.vaults === undefined) {
    return [(await locateVault(invocation, await readSettings(invocation))).root]
  }
  const found = await Promise.all(options.vaults.map((path) => findVault({ path, source: 'flag' }, surroundings)))
  return found.map(({ root }) => root)
}

function lineOf({ id, name, routes, vaults, level, trustsForms, lastUsedAt }: AccessKey): string {
  const where = vaults === 'all' ? 'all vaults' : vaults.map((root) => visibleLine(basename(root))).join(', ')
  const used = lastUsedAt === undefined ? 'never used' : `last used ${lastUsedAt.slice(0, 16).replace('T', ' ')} UTC`
  return `${name}  ${id}  ${routes.join(', ')}  ${where}  ${level}${trustsForms ? ', forms trusted' : ''}  ${used}`
}
