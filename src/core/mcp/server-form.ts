import { fieldsOf, localServer, remoteServer, type ServerSetting, serverSettings } from '../config/index.js'
import { Failure } from '../errors.js'
import { redactedUrl } from './server-config.js'
import type { ListedServer } from './trust.js'

// The fields of a configured server, derived from its schema. Page, plugin and terminal draw them and show their values:
// a new field of the schema appears in all of them.

/** A program that is started, or a server at an address. */
export type ServerKind = 'program' | 'address'

/** One field of the form. Plain data. */
export interface ServerField {
  key: string
  label: string
  hint: string
  /** `list` has an entry per line, `pairs` a `name=value` per line. */
  takes: 'text' | 'number' | 'yes-no' | 'list' | 'pairs'
  placeholder?: string
  isRequired?: true
  /** Its values are stored with the user's keys and never shown again. */
  isSecret?: true
}

export type ServerForms = Readonly<Record<ServerKind, readonly ServerField[]>>

export function serverForms(): ServerForms {
  return { program: formOf(localServer), address: formOf(remoteServer) }
}

function formOf(schema: typeof localServer | typeof remoteServer): ServerField[] {
  return fieldsOf(schema).map(({ key, label = key, about, form, placeholder, secret, accepts }) => ({
    key,
    label,
    hint: about,
    takes: form.takes === 'json' ? 'pairs' : form.takes === 'choice' ? 'text' : form.takes,
    ...(placeholder && { placeholder }),
    ...(!accepts(undefined) && { isRequired: true }),
    ...(secret && { isSecret: true }),
  }))
}

/** A server as a list shows it: names of variables and headers, since their values may be secret. */
export type ShownServer = Pick<ListedServer, 'name' | 'from' | 'state'> & {
  type: 'stdio' | 'http'
  /** The fields that have a value. */
  [field: string]: unknown
}

export function shownServer({ name, from, state, setting }: Omit<ListedServer, 'hash'>): ShownServer {
  const { type: _, disabled: __, ...fields } = setting
  const shown = Object.entries(fields).map(([key, value]) => [key, isPairs(value) ? Object.keys(value) : value])
  const values = Object.fromEntries(shown) as Record<string, unknown>
  if ('command' in setting) return { name, from, state, type: 'stdio', args: [], env: [], ...values }
  return { name, from, state, type: 'http', headers: [], ...values, url: redactedUrl(setting.url) }
}

const isPairs = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Fails with the field that is wrong. The value may be a secret, so the message does not repeat it. */
export function checkServer(name: string, setting: unknown): ServerSetting {
  if (!serverSettings.safeParse({ [name]: { command: 'x' } }).success) {
    throw new Failure('invalid-input', `Not a valid server name: ${name}`, {
      hint: 'Use at most 40 letters, digits, dots, hyphens and underscores.',
    })
  }
  const parsed = serverSettings.safeParse({ [name]: setting })
  const server = parsed.success ? parsed.data[name] : undefined
  if (server !== undefined) return server
  const values = isPairs(setting) ? setting : {}
  const schema = 'url' in values ? remoteServer : localServer
  const wrong = fieldsOf(schema).find(({ key, accepts }) => !accepts(values[key]))
  throw new Failure('invalid-input', wrong ? `${wrong.label ?? wrong.key} must be ${wrong.expects}.` : notAServer)
}

const notAServer = 'The server needs a program or a URL.'
