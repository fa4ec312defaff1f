import { type ConsentLevel, consentLevels } from '../../core/approval/index.js'
import { valueAt, withValueAt } from '../../core/config/index.js'
import { isRecord } from '../../core/is-record.js'
import { isLoopback, providerAddress, providers } from '../../core/providers/index.js'
import { environmentOf, type PluginSettings } from './settings.js'

/**
 * The settings are in the vault's folder, which may be shared and synced. These parts were set by the user, or agreed
 * to, on this device: approval level, rules, and the models and addresses that notes are sent to.
 */
export type AgreedSettings = Record<string, unknown>

/** The strictest first. */
const byStrictness: readonly ConsentLevel[] = ['locked', 'read-only', 'ask-all', 'ask', 'edit', 'auto']

/** Restricting lists: a removed entry stays in force here until agreed to. */
const restricting = ['exclude', 'permissions.deny', 'permissions.ask']
const loosening = 'permissions.allow'
const searchUrl = 'web.searchUrl'
/** Models that are sent notes. */
const models: Record<string, string> = { model: 'Model', 'embeddings.model': 'Embeddings model' }

/** Each part has its own key, so that changing one does not agree to another. */
export function partsToAgree({ config, addresses }: PluginSettings): AgreedSettings {
  const servers = isRecord(config.mcpServers) ? config.mcpServers : {}
  const parts = Object.fromEntries([
    ...['consent', ...restricting, loosening, searchUrl, ...Object.keys(models)].map((key) => [
      key,
      valueAt(config, key),
    ]),
    ...Object.entries(projectsIn(config)).flatMap(([name, { consent, model }]) => [
      [`consent of project ${name}`, consent],
      [`model of project ${name}`, model],
    ]),
    ...Object.entries(addresses).map(([provider, address]) => [addressPart(provider), address]),
    ...Object.entries(servers).map(([name, setting]) => [serverPart(name), JSON.stringify(setting)]),
  ]) as AgreedSettings
  return Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
}

function projectsIn(config: PluginSettings['config']): Record<string, Record<string, unknown>> {
  const projects = isRecord(config.projects) ? Object.entries(config.projects) : []
  return Object.fromEntries(projects.filter((entry): entry is [string, Record<string, unknown>] => isRecord(entry[1])))
}

const addressPart = (provider: string): string => `address of ${provider}`

/** Providers that have an address of their own in the settings, or had one when the user agreed to it. */
function addressed({ addresses }: PluginSettings, agreed: AgreedSettings): string[] {
  const known = providers.map(({ id }) => id).filter((id) => agreed[addressPart(id)] !== undefined)
  return [...new Set([...Object.keys(addresses), ...known])]
}

const serverPart = (name: string): string => `MCP server ${name}`

/** True if a server's entry was made by the user, or agreed to, on this device. */
export function isAgreedServer(name: string, settings: PluginSettings, agreed: AgreedSettings): boolean {
  const now = partsToAgree(settings)[serverPart(name)]
  return now !== undefined && now === agreed[serverPart(name)]
}

/** A setting changed on this device counts as agreed to. */
export function agreedAfter(agreed: AgreedSettings, before: PluginSettings, after: PluginSettings): AgreedSettings {
  const [old, next] = [partsToAgree(before), partsToAgree(after)]
  const names = new Set([...Object.keys(old), ...Object.keys(next)])
  const changed = [...names].filter((name) => JSON.stringify(old[name]) !== JSON.stringify(next[name]))
  const kept = Object.entries(agreed).filter(([name]) => !changed.includes(name))
  return Object.fromEntries([
    ...kept,
    ...changed.flatMap((name) => (next[name] === undefined ? [] : [[name, next[name]] as const])),
  ])
}

/**
 * The settings in force here, and the changes waiting for the user: a looser approval level and new allow rules do not
 * apply, removed rules and exclusions still do, and an address, or a model at another address, that was not agreed to
 * stays as before.
 */
export function effectiveSettings(
  settings: PluginSettings,
  agreed: AgreedSettings,
): { settings: PluginSettings; waiting: string[] } {
  const waiting: string[] = []
  let { config } = settings
  const put = (key: string, value: unknown, about: string): void => {
    config = withValueAt(config, key, value)
    waiting.push(about)
  }
  const [level, known] = [levelIn(valueAt(config, 'consent')), levelIn(agreed.consent)]
  if (byStrictness.indexOf(level) > byStrictness.indexOf(known)) {
    put('consent', agreed.consent, `Approval level: ${level}`)
  }
  const [allowed, mayAllow] = [textsIn(valueAt(config, loosening)), textsIn(agreed[loosening])]
  const unknown = allowed.filter((rule) => !mayAllow.includes(rule))
  if (unknown.length > 0) {
    const own = allowed.filter((rule) => mayAllow.includes(rule))
    put(loosening, own.length > 0 ? own : undefined, `Always allow: ${unknown.join(', ')}`)
  }
  for (const key of restricting) {
    const [now, before] = [textsIn(valueAt(config, key)), textsIn(agreed[key])]
    const gone = before.filter((rule) => !now.includes(rule))
    if (gone.length > 0) put(key, [...now, ...gone], `No longer under ${restrictions[key]}: ${gone.join(', ')}`)
  }
  const url = valueAt(config, searchUrl)
  if (url !== undefined && url !== agreed[searchUrl]) put(searchUrl, agreed[searchUrl], `Web search at ${asText(url)}`)
  const addresses: Record<string, string> = {}
  for (const provider of addressed(settings, agreed)) {
    const [now, own] = [settings.addresses[provider], agreed[addressPart(provider)]]
    if (typeof own === 'string') addresses[provider] = own
    // A provider without a configured address uses its default one.
    if (now !== own)
      waiting.push(now ? `Address of ${provider}: ${now}` : `No address of ${provider} instead of ${asText(own)}`)
  }
  const held = { ...settings, addresses }
  for (const [key, label] of Object.entries(models)) {
    const model = valueAt(config, key)
    if (isRedirect(model, [agreed[key]], held)) put(key, agreed[key], `${label}: ${String(model)}`)
  }
  for (const [name, project] of Object.entries(projectsIn(config))) {
    const own = { consent: agreed[`consent of project ${name}`], model: agreed[`model of project ${name}`] }
    const change = (key: 'consent' | 'model', label: string): void => {
      const { [key]: now, ...kept } = projectsIn(config)[name] ?? {}
      const project = own[key] === undefined ? kept : { ...kept, [key]: own[key] }
      config = { ...config, projects: { ...(config.projects as object), [name]: project } }
      waiting.push(`${label} of the project ${name}: ${String(now)}`)
    }
    const levels = [config.consent ?? 'ask', own.consent].map((one) => byStrictness.indexOf(one as ConsentLevel))
    if (byStrictness.indexOf(project.consent as ConsentLevel) > Math.max(...levels)) change('consent', 'Approval level')
    if (isRedirect(project.model, [config.model, own.model], held)) change('model', 'Model')
  }
  return { settings: { ...held, config }, waiting }
}

/** True if a model would send notes to an address that was not agreed to. Models on this device do not count. */
function isRedirect(model: unknown, agreed: readonly unknown[], settings: PluginSettings): boolean {
  const recipient = recipientOf(model, settings)
  return recipient !== undefined && !agreed.some((one) => recipientOf(one, settings) === recipient)
}

/** The origin that a model's requests go to; undefined if nothing is sent. */
function recipientOf(model: unknown, settings: PluginSettings): string | undefined {
  if (typeof model !== 'string') return undefined
  const id = model.trim().replace(/\/.*/s, '').toLowerCase()
  const provider = providers.find((one) => one.id === id)
  if (provider === undefined) return undefined
  try {
    const address = providerAddress(provider, environmentOf(settings, [provider]))
    return address === undefined || isLoopback(address) ? undefined : new URL(address).origin
  } catch {
    // An address that cannot be read gets nothing.
    return undefined
  }
}

const restrictions: Record<string, string> = {
  exclude: 'Never share',
  'permissions.deny': 'Never allow',
  'permissions.ask': 'Always ask',
}

/** Invalid levels are rejected elsewhere; without a value, the default applies. */
function levelIn(value: unknown): ConsentLevel {
  return consentLevels.find((level) => level === value) ?? 'ask'
}

/** A list may also be written as one text. */
function textsIn(value: unknown): string[] {
  const all = Array.isArray(value) ? value : typeof value === 'string' ? value.split('\n') : []
  return all.filter((one): one is string => typeof one === 'string')
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : JSON.stringify(value))
