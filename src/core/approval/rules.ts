import { Failure } from '../errors.js'
import { isRecord } from '../is-record.js'
import { nearestName } from '../text/index.js'
import { aliases, type Effect, isServerToolName, mayBeOffered, type Registry, type Tool } from '../tools/index.js'

// `!` is used on expressions that match any text, and on an alias that was found.

const ruleEffects = ['deny', 'ask', 'allow'] as const
export type RuleEffect = (typeof ruleEffects)[number]

/** A rule as data. `text` is its written form without the effect: `edit_note(Projects/**)`. */
export interface Rule {
  effect: RuleEffect
  subject: Subject
  selector?: Selector
  text: string
  /** Source of the rule: `command line`, `config`, `vault`, `grant`. Shown by `explain`. */
  from: string
}

export type Subject =
  | { kind: 'any' }
  | { kind: 'tool'; name: string }
  | { kind: 'effect'; effect: Effect }
  /** No server: all servers. No tool: all tools of the server. */
  | { kind: 'mcp'; server?: string | undefined; tool?: string }

export type Selector = PlainSelector | { kind: 'not'; selector: PlainSelector }

export type PlainSelector =
  | { kind: 'path'; pattern: string }
  | { kind: 'folder'; folder: string }
  | { kind: 'tag'; tag: string }
  /** No value: notes that have the property. */
  | { kind: 'prop'; name: string; value?: string }
  | { kind: 'domain'; domain: string }
  /** Notes in any of these folders. Not parsed from text; for the scope of a session. */
  | { kind: 'folders'; folders: readonly Extract<PlainSelector, { kind: 'folder' }>[] }
  /** Exactly these notes. Never parsed from text: the notes that a project names. */
  | { kind: 'notes'; paths: readonly string[] }
  /** Everything outside a project. Not parsed from text; for sessions with a project. */
  | { kind: 'outside'; project: string; inside: readonly Selector[]; exclude: readonly Selector[] }

/** The name of a rule in reasons, logs and lists: `deny: reads(folder:Journal)`. */
export function ruleName({ effect, text, from }: Rule): string {
  return from === 'grant' ? `grant: ${text}` : `${effect}: ${text}`
}

/** True if a selector is of one of these kinds, or contains one. */
export function looksAt(selector: Selector, ...kinds: PlainSelector['kind'][]): boolean {
  const plain = plainSelector(selector)
  if (plain.kind !== 'outside') return kinds.includes(plain.kind)
  return [...plain.inside, ...plain.exclude].some((each) => looksAt(each, ...kinds))
}

/** The selector without its negation. */
export function plainSelector(selector: Selector): PlainSelector {
  return selector.kind === 'not' ? selector.selector : selector
}

/**
 * The names a rule may use. Rules with unknown names are rejected, since they would silently do nothing. Rules about
 * tools of MCP servers are accepted before the server is connected.
 */
export interface RuleVocabulary {
  /** Tools that are always present. */
  tools: readonly Pick<Tool, 'name' | 'effects' | 'reaches' | 'plan'>[]
  /** Configured MCP servers, connected or not. Default: any server name is accepted. */
  servers?: readonly string[]
}

interface RuleDefaults {
  /** The effect, if the text does not begin with one (`deny: …`). */
  effect?: RuleEffect
  from?: string
}

const longestRule = 2000

/** Names of former tools. Rules about them are accepted and do nothing: to allow listing must not allow undoing. */
const formerTools: readonly string[] = ['list_changes']

/** Parses one rule: `deny: reads(folder:Journal)`, or without the effect if `given` has it. */
export function parseRule(text: string, vocabulary: RuleVocabulary, given: RuleDefaults = {}): Rule {
  if (typeof text !== 'string') throw new Failure('invalid-input', `A rule must be text, not ${JSON.stringify(text)}`)
  if (text.length > longestRule)
    throw invalidRule(`${text.slice(0, 60)}…`, `a rule can have at most ${longestRule} characters`)
  const [, written, body = ''] = /^\s*(?:(\w+)\s*:(?=\s|[\w*-]+\s*(?:\(|$)))?\s*(.*?)\s*$/s.exec(text)!
  const effect = readEffect(text, written, given.effect)
  const parts = /^([^()\s]+)\s*(?:\((.*)\))?$/s.exec(body)
  if (parts === null) throw invalidRule(text, 'write it as tool, tool(selector), effect(selector) or mcp(server/tool)')
  const [, name = '', inside] = parts
  const [subject, selector] =
    name === 'mcp'
      ? [readServer(text, inside, vocabulary), undefined]
      : [readSubject(text, name, vocabulary), inside === undefined ? undefined : readSelector(text, inside)]
  if (selector !== undefined) checkSelectorFits(text, subject, selector, vocabulary)
  const shown = inside === undefined ? subjectText(subject, name) : `${subjectText(subject, name)}(${inside.trim()})`
  return { effect, subject, ...(selector && { selector }), text: shown, from: given.from ?? 'rules' }
}

/** The vocabulary of a tool registry. */
export function ruleVocabulary(registry: Registry, servers?: readonly string[]): RuleVocabulary {
  return {
    tools: registry.all().flatMap(({ tool, foreign }) => (foreign ? [] : [tool])),
    ...(servers && { servers }),
  }
}

const effectWords: readonly Effect[] = ['reads', 'writes', 'destroys', 'reaches-network']

function readEffect(text: string, written: string | undefined, given: RuleEffect | undefined): RuleEffect {
  const word = written ?? given
  if (word === undefined) throw invalidRule(text, 'start it with allow:, ask: or deny:')
  if (!isRuleEffect(word)) throw unknownName(text, 'effect', word, ruleEffects)
  if (given !== undefined && word !== given) throw invalidRule(text, `it is in a list of ${given} rules`)
  return word
}

const isRuleEffect = (word: string): word is RuleEffect => (ruleEffects as readonly string[]).includes(word)

function readSubject(text: string, name: string, { tools, servers }: RuleVocabulary): Subject {
  if (name === '*') return { kind: 'any' }
  const effect = effectWords.find((word) => word === name)
  if (effect !== undefined) return { kind: 'effect', effect }
  if (formerTools.includes(name)) return { kind: 'tool', name }
  const canonical = Object.hasOwn(aliases, name) ? aliases[name]!.tool : name
  if (tools.some((tool) => tool.name === canonical)) return { kind: 'tool', name: canonical }
  const isAwaited = servers?.some((server) => mayBeOffered(name, server)) ?? isServerToolName(name)
  if (isAwaited) return { kind: 'tool', name }
  // A custom tool may be missing or broken.
  if (name.startsWith('custom/')) return { kind: 'tool', name: name.slice('custom/'.length) }
  throw unknownName(text, 'tool or effect', name, [...tools.map((tool) => tool.name), ...effectWords, 'mcp'])
}

const subjectText = (subject: Subject, name: string): string => (subject.kind === 'tool' ? subject.name : name)

function readServer(text: string, inside: string | undefined, { servers }: RuleVocabulary): Subject {
  const wanted = (inside ?? '*').trim()
  if (wanted === '*') return { kind: 'mcp' }
  const [, server = '', tool = '*'] = /^([^/]*)(?:\/(.*))?$/s.exec(wanted)!
  if (server === '' || tool === '') throw invalidRule(text, 'write it as mcp(server) or mcp(server/tool)')
  if (servers?.includes(server) === false) throw unknownName(text, 'MCP server', server, servers)
  return { kind: 'mcp', server, ...(tool !== '*' && { tool }) }
}

function readSelector(text: string, inside: string): Selector {
  try {
    return parseSelector(inside)
  } catch (error) {
    if (error instanceof Failure) throw invalidRule(text, error.message, error.details.hint)
    throw error
  }
}

/** Rejects selectors that can never match: they would look like protection. */
function checkSelectorFits(text: string, subject: Subject, selector: Selector, { tools }: RuleVocabulary): void {
  if (subject.kind === 'any' || subject.kind === 'mcp') return
  const aboutNetwork = plainSelector(selector).kind === 'domain'
  const tool = subject.kind === 'tool' ? tools.find(({ name }) => name === subject.name) : undefined
  if (subject.kind === 'tool' && tool === undefined && formerTools.includes(subject.name)) return
  if (subject.kind === 'tool' && tool === undefined)
    throw invalidRule(text, 'it is unknown which notes a tool of an MCP server uses')
  const effects = subject.kind === 'effect' ? [subject.effect] : (tool?.effects ?? [])
  const name = subject.kind === 'effect' ? subject.effect : subject.name
  if (aboutNetwork && !effects.includes('reaches-network'))
    throw invalidRule(text, `${name} does not access the network`)
  if (aboutNetwork) return
  if (effects.every((effect) => effect === 'reaches-network')) throw invalidRule(text, `${name} does not use notes`)
  if (tool !== undefined && tool.reaches === undefined && tool.plan === undefined) {
    throw invalidRule(text, `${name} does not name single notes`, 'Use reads(…) to say which notes may be read.')
  }
}

function unknownName(text: string, what: string, name: string, names: readonly string[]): Failure {
  const near = nearestName(name, names)
  const hint =
    near !== undefined
      ? `Did you mean ${near}?`
      : names.length > 0
        ? `Available: ${names.join(', ')}.`
        : 'None is available.'
  return invalidRule(text, `unknown ${what} ${JSON.stringify(name)}`, hint)
}

function invalidRule(text: string, reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `Rule ${JSON.stringify(text)}: ${reason}`, hint === undefined ? {} : { hint })
}

const selectorKinds = ['path', 'folder', 'tag', 'prop', 'domain']

/**
 * Parses the part in brackets: a path pattern, `folder:`, `tag:`, `prop:` or `domain:`, with an optional `!` before
 * it.
 */
export function parseSelector(text: string): Selector {
  const inside = text.trim()
  if (inside.startsWith('!')) return { kind: 'not', selector: parsePlain(inside.slice(1).trim()) }
  return parsePlain(inside)
}

/** True if a path needs the prefix `path:` to be parsed as a path. */
export function needsPathWord(path: string): boolean {
  return /^(?:!|[a-z-]+:)/.test(path) || path !== path.trim()
}

function parsePlain(text: string): PlainSelector {
  if (text === '') throw new Failure('invalid-input', 'the brackets are empty')
  const [, kind, value = ''] = /^(?:([a-z-]+):)?\s*(.*)$/s.exec(text)!
  switch (kind) {
    case undefined:
    case 'path':
      return { kind: 'path', pattern: checkPath(value) }
    case 'folder':
      return { kind: 'folder', folder: checkPath(value.replace(/\/+$/, '')) }
    case 'tag':
      return { kind: 'tag', tag: readTag(value) }
    case 'prop':
      return readProperty(value)
    case 'domain':
      return { kind: 'domain', domain: readDomain(value) }
    default: {
      const near = nearestName(kind, selectorKinds)
      const hint = near === undefined ? `Use ${selectorKinds.join(', ')}.` : `Did you mean ${near}:?`
      throw new Failure('invalid-input', `unknown selector ${JSON.stringify(`${kind}:`)}`, {
        hint: `${hint} Write a path that contains a colon as path:${text}.`,
      })
    }
  }
}

// Rejects what `notePath` rejects: such a pattern could never match.
function checkPath(pattern: string): string {
  const reason =
    pattern === ''
      ? 'the path is empty'
      : pattern.startsWith('/')
        ? 'a path starts at the top of the vault, without "/"'
        : /(?:^|\/)\.{0,2}(?:\/|$)/.test(pattern.replace(/\/$/, ''))
          ? 'a path cannot contain empty names, "." or ".."'
          : /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(pattern)
            ? 'control and direction characters are not allowed'
            : /\\(?![*?\\])/.test(pattern)
              ? 'use "/" between folders, and a backslash only before *, ? or another backslash'
              : undefined
  if (reason !== undefined) throw new Failure('invalid-input', reason)
  return pattern
}

function readTag(text: string): string {
  const tag = text.replace(/^#/, '').replace(/\/+(?:\*\*?)?$/, '')
  if (tag === '' || /[\s#*?]/.test(tag)) {
    throw new Failure('invalid-input', `not a tag: ${JSON.stringify(text)}`, {
      hint: 'tag:#draft also matches #draft/….',
    })
  }
  return tag
}

function readProperty(text: string): PlainSelector {
  const equals = text.indexOf('=')
  const name = (equals < 0 ? text : text.slice(0, equals)).trim()
  if (name === '') throw new Failure('invalid-input', 'write a property as prop:name=value')
  return { kind: 'prop', name, ...(equals >= 0 && { value: text.slice(equals + 1).trim() }) }
}

function readDomain(text: string): string {
  const bare = text.trim().replace(/^\*\.|\.$/g, '')
  const url = `http://${bare}/`
  const host = URL.canParse(url) ? new URL(url) : undefined
  if (host === undefined || bare === '' || /[/?#@\s*]/.test(bare) || host.port !== '' || /:\d*$/.test(bare)) {
    throw new Failure('invalid-input', `not a domain: ${JSON.stringify(text)}`, {
      hint: 'Write it as domain:example.org. Subdomains are included.',
    })
  }
  return host.hostname
}

/** Unparsed rules from one source. */
export interface RuleTexts extends Partial<Record<RuleEffect, readonly string[] | undefined>> {
  /** `command line`, `config` or `vault`; shown by `explain`. */
  from: string
  /** Prefix of error messages. */
  file?: string | undefined
}

/** Parses the rules of a session from all sources. Their order does not matter. */
export function parseRules(places: readonly RuleTexts[], vocabulary: RuleVocabulary): Rule[] {
  return places.flatMap((place) =>
    ruleEffects.flatMap((effect) => (place[effect] ?? []).map((text) => parseFrom(place, text, effect, vocabulary))),
  )
}

function parseFrom({ from, file }: RuleTexts, text: string, effect: RuleEffect, vocabulary: RuleVocabulary): Rule {
  try {
    return parseRule(text, vocabulary, { effect, from })
  } catch (error) {
    if (file === undefined || !(error instanceof Failure)) throw error
    const hint = error.details.hint ?? 'Correct the file, or move it away.'
    throw new Failure(error.code, `${file}: ${error.message}`, { hint })
  }
}

/** The file with a vault's own rules. */
export const vaultRulesFile = '.notewright/permissions.json'

const mostRules = 1000

/**
 * Reads a vault's own rules: `{ "deny": [...], "ask": [...] }`. They can only restrict. Throws if the file cannot be
 * parsed.
 */
export function vaultRuleTexts(text: string, onTrouble: (text: string) => void): RuleTexts {
  const { deny, ask, allow } = readRuleLists(text)
  if (allow.length > 0) {
    onTrouble(`${vaultRulesFile}: a vault can only restrict, so its ${allow.length} allow rules are ignored.`)
  }
  return { from: 'vault', file: vaultRulesFile, deny, ask }
}

type RuleLists = Record<'deny' | 'ask' | 'allow', string[]>

function readRuleLists(text: string): RuleLists {
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (error) {
    throw invalidVaultRules(`not valid JSON (${(error as Error).message})`)
  }
  if (!isRecord(tree)) throw invalidVaultRules('expected an object with lists of rules')
  const lists: RuleLists = { deny: [], ask: [], allow: [] }
  for (const [name, rules] of Object.entries(tree)) {
    if (!Object.hasOwn(lists, name)) throw invalidVaultRules(`unknown list ${JSON.stringify(name)}`, 'Use deny or ask.')
    if (!Array.isArray(rules) || !rules.every((rule) => typeof rule === 'string')) {
      throw invalidVaultRules(`${name} must be a list of rules`)
    }
    if (rules.length > mostRules) throw invalidVaultRules(`${name} has more than ${mostRules} rules`)
    lists[name as keyof RuleLists] = rules
  }
  return lists
}

/** An error that names the file. */
export function invalidVaultRules(reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `${vaultRulesFile}: ${reason}`, {
    hint: hint ?? 'Correct the file in the vault, or move it away.',
  })
}

/** The folders a session is restricted to. Folders in `writes` can also be read. */
export interface SessionScope {
  /** Everything outside is hidden. */
  reads?: readonly string[]
  /** Nothing outside is changed. */
  writes?: readonly string[]
}

/** Rules that deny everything outside the folders. */
export function scopeRules({ reads, writes }: SessionScope): Rule[] {
  return [
    ...(reads ? [denyOutside('reads', [...reads, ...(writes ?? [])])] : []),
    ...(writes ? [denyOutside('writes', writes)] : []),
  ]
}

function denyOutside(effect: 'reads' | 'writes', names: readonly string[]): Rule {
  const folders = names.map((name) => parseSelector(`folder:${name}`) as Extract<PlainSelector, { kind: 'folder' }>)
  const selector = { kind: 'not' as const, selector: { kind: 'folders' as const, folders } }
  const text = `${effect}(outside ${folders.map(({ folder }) => folder).join(', ')})`
  return { effect: 'deny', subject: { kind: 'effect', effect }, selector, text, from: 'scope' }
}
