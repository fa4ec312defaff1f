import { Failure } from '../../errors.js'
import { nearestName } from '../../names/index.js'
import { aliases, type Effect, mayBeOffered, type Registry, type Tool } from '../../tools/index.js'
import { parseSelector } from './parse-selector.js'
import { plainSelector, type Rule, type RuleEffect, ruleEffects, type Selector, type Subject } from './rule.js'

/**
 * The names a rule may use. A rule with any other is refused when it is loaded: it would silently do nothing. Tools of
 * servers come and go, so a rule about one waits for it.
 */
export interface RuleVocabulary {
  /** Those that are always there. */
  tools: readonly Pick<Tool, 'name' | 'effects' | 'reaches' | 'plan'>[]
  /** Configured MCP servers, connected or not; without a list any server may come. */
  servers?: readonly string[]
}

export interface GivenRule {
  /** The effect, when the text does not begin with one (`deny: …`). */
  effect?: RuleEffect
  from?: string
}

const longest = 2000

/** Only clients of the MCP server have these. A rule about one waits for it everywhere else. */
const ofClients: readonly string[] = ['undo_last_change', 'list_changes']

/** Reads one rule: `deny: reads(folder:Journal)`, or without the effect where a list gives it. */
export function parseRule(text: string, vocabulary: RuleVocabulary, given: GivenRule = {}): Rule {
  if (typeof text !== 'string') throw new Failure('invalid-input', `A rule is a text, not ${JSON.stringify(text)}`)
  if (text.length > longest) throw wrong(`${text.slice(0, 60)}…`, `a rule has at most ${longest} characters`)
  const [, written, body] = /^\s*(?:(\w+)\s*:(?=\s|[\w*-]+\s*(?:\(|$)))?\s*(.*?)\s*$/s.exec(text)!
  const effect = readEffect(text, written, given.effect)
  const parts = /^([^()\s]+)\s*(?:\((.*)\))?$/s.exec(body)
  if (parts === null) throw wrong(text, 'write it as tool, tool(selector), effect(selector) or mcp(server/tool)')
  const [, name, inside] = parts
  const [subject, selector] =
    name === 'mcp'
      ? [readServer(text, inside, vocabulary), undefined]
      : [readSubject(text, name, vocabulary), inside === undefined ? undefined : readSelector(text, inside)]
  if (selector !== undefined) checkFit(text, subject, selector, vocabulary)
  const shown = inside === undefined ? subjectText(subject, name) : `${subjectText(subject, name)}(${inside.trim()})`
  return { effect, subject, ...(selector && { selector }), text: shown, from: given.from ?? 'rules' }
}

/** The vocabulary of a registry, with the servers that are configured. */
export function ruleVocabulary(registry: Registry, servers?: readonly string[]): RuleVocabulary {
  return {
    tools: registry.all().flatMap(({ tool, foreign }) => (foreign ? [] : [tool])),
    ...(servers && { servers }),
  }
}

const effectWords: readonly Effect[] = ['reads', 'writes', 'destroys', 'reaches-network']

function readEffect(text: string, written: string | undefined, given: RuleEffect | undefined): RuleEffect {
  const word = written ?? given
  if (word === undefined) throw wrong(text, 'begin it with allow:, ask: or deny:')
  if (!isRuleEffect(word)) throw unknown(text, 'effect', word, ruleEffects)
  if (given !== undefined && word !== given) throw wrong(text, `it stands in a list of ${given} rules`)
  return word
}

const isRuleEffect = (word: string): word is RuleEffect => (ruleEffects as readonly string[]).includes(word)

function readSubject(text: string, name: string, { tools, servers = [] }: RuleVocabulary): Subject {
  if (name === '*') return { kind: 'any' }
  const effect = effectWords.find((word) => word === name)
  if (effect !== undefined) return { kind: 'effect', effect }
  const canonical = Object.hasOwn(aliases, name) ? aliases[name].tool : name
  if (tools.some((tool) => tool.name === canonical)) return { kind: 'tool', name: canonical }
  if (ofClients.includes(name) || servers.some((server) => mayBeOffered(name, server))) return { kind: 'tool', name }
  // A tool that the person wrote may be gone or broken.
  if (name.startsWith('custom/')) return { kind: 'tool', name: name.slice('custom/'.length) }
  throw unknown(text, 'tool or effect', name, [...tools.map((tool) => tool.name), ...effectWords, 'mcp'])
}

const subjectText = (subject: Subject, name: string): string => (subject.kind === 'tool' ? subject.name : name)

function readServer(text: string, inside: string | undefined, { servers }: RuleVocabulary): Subject {
  const wanted = (inside ?? '*').trim()
  if (wanted === '*') return { kind: 'mcp' }
  const [, server, tool = '*'] = /^([^/]*)(?:\/(.*))?$/s.exec(wanted)!
  if (server === '' || tool === '') throw wrong(text, 'write it as mcp(server) or mcp(server/tool)')
  if (servers?.includes(server) === false) throw unknown(text, 'MCP server', server, servers)
  return { kind: 'mcp', server, ...(tool !== '*' && { tool }) }
}

function readSelector(text: string, inside: string): Selector {
  try {
    return parseSelector(inside)
  } catch (error) {
    if (error instanceof Failure) throw wrong(text, error.message, error.details.hint)
    throw error
  }
}

/** A selector that can never match would look like protection and be none. */
function checkFit(text: string, subject: Subject, selector: Selector, { tools }: RuleVocabulary): void {
  if (subject.kind === 'any' || subject.kind === 'mcp') return
  const aboutNetwork = plainSelector(selector).kind === 'domain'
  const tool = subject.kind === 'tool' ? tools.find(({ name }) => name === subject.name) : undefined
  if (subject.kind === 'tool' && tool === undefined && ofClients.includes(subject.name)) return
  if (subject.kind === 'tool' && tool === undefined) throw wrong(text, 'what a tool of a server touches is not known')
  const effects = subject.kind === 'effect' ? [subject.effect] : (tool?.effects ?? [])
  const name = subject.kind === 'effect' ? subject.effect : subject.name
  if (aboutNetwork && !effects.includes('reaches-network')) throw wrong(text, `${name} does not reach the network`)
  if (aboutNetwork) return
  if (effects.every((effect) => effect === 'reaches-network')) throw wrong(text, `${name} does not touch notes`)
  if (tool !== undefined && tool.reaches === undefined && tool.plan === undefined) {
    throw wrong(text, `${name} is not about particular notes`, 'Say which notes may be read with reads(…).')
  }
}

function unknown(text: string, what: string, name: string, names: readonly string[]): Failure {
  const near = nearestName(name, names)
  const hint =
    near !== undefined ? `Did you mean ${near}?` : names.length > 0 ? `There is ${names.join(', ')}.` : 'There is none.'
  return wrong(text, `unknown ${what} ${JSON.stringify(name)}`, hint)
}

function wrong(text: string, reason: string, hint?: string): Failure {
  return new Failure('invalid-input', `Rule ${JSON.stringify(text)}: ${reason}`, hint === undefined ? {} : { hint })
}
