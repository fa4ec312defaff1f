import type { Outbound, ProposedCall } from '../../tools/index.js'
import { folderOf } from '../../vault/index.js'
import type { JudgedCall } from '../policy/index.js'
import { literalPattern, needsPathWord, parseRule, type Rule, type RuleVocabulary } from '../rules/index.js'
import type { Offer } from './approval-request.js'

/**
 * The literal rules that would let this very call pass, the narrowest first. Each is tried before it is offered: a
 * rule that changes nothing is not worth remembering.
 */
export function listOffers(
  call: JudgedCall,
  proposed: Pick<ProposedCall, 'notes' | 'sends'>,
  vocabulary: RuleVocabulary,
  lifts: (rule: Rule) => boolean,
): Offer[] {
  return candidates(call, proposed).filter(({ rule }) => {
    try {
      return lifts(parseRule(rule, vocabulary, { effect: 'allow', from: 'grant' }))
    } catch {
      // Not a rule this tool can have: a search is about no note in particular.
      return false
    }
  })
}

function candidates({ tool, foreign }: JudgedCall, { notes, sends }: Pick<ProposedCall, 'notes' | 'sends'>): Offer[] {
  if (foreign) return [{ about: 'tool', rule: `mcp(${foreign.server}/${foreign.tool})` }]
  const paths = notes.map(({ path }) => path)
  const folder = commonFolder(paths)
  const host = commonHost(sends)
  return [
    ...(paths.length === 1 ? [{ about: 'note' as const, rule: `${tool}(${pathText(literalPattern(paths[0]))})` }] : []),
    ...(folder ? [{ about: 'folder' as const, rule: `${tool}(${pathText(`${literalPattern(folder)}/**`)})` }] : []),
    ...(host ? [{ about: 'domain' as const, rule: `${tool}(domain:${host})` }] : []),
    { about: 'tool', rule: tool },
  ]
}

const pathText = (pattern: string): string => (needsPathWord(pattern) ? `path:${pattern}` : pattern)

/** The folder that holds them all, '' when only the vault itself does. */
function commonFolder(paths: readonly string[]): string {
  if (paths.length === 0) return ''
  let folder = folderOf(paths[0])
  while (folder !== '' && !paths.every((path) => path.startsWith(`${folder}/`))) folder = folderOf(folder)
  return folder
}

function commonHost(sends: readonly Outbound[]): string | undefined {
  const hosts = new Set(sends.map(({ url }) => (URL.canParse(url) ? new URL(url).hostname : '')))
  const [host] = hosts
  return hosts.size === 1 && host !== '' && !host.startsWith('[') ? host : undefined
}
