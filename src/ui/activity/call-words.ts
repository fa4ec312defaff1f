import { actionWords } from '../../core/session/index.js'
import { bytes, count, visibleText } from '../../core/text/index.js'
import type { LoggedCall, LoggedRequest } from '../../core/tools/index.js'
import type { HistoryEntry } from '../../core/vault/index.js'
import type { IconName } from '../icon-name.js'

/** How a logged call ended. Blocked: a rule or the approval level prevented it. */
type CallOutcome = 'done' | 'denied' | 'blocked' | 'failed' | 'interrupted' | 'preview'

export function outcomeOf(call: LoggedCall): CallOutcome {
  if (call.decision === 'denied') return call.rule === 'person' ? 'denied' : 'blocked'
  if (call.decision === 'refused') return 'blocked'
  if (call.decision === 'dry-run') return 'preview'
  if (call.error !== undefined) return 'failed'
  return call.result === undefined && call.duration_ms === undefined ? 'interrupted' : 'done'
}

const beforeAction: Record<Exclude<CallOutcome, 'done'>, string> = {
  denied: 'Denied',
  blocked: 'Blocked',
  failed: 'Failed',
  interrupted: 'Interrupted',
  preview: 'Preview',
}

/** A call as a sentence: "Read Compost", "Denied: rename Soup to Broth". `title`: of its tool, if it is known. */
export function callWords(call: LoggedCall, title: string | undefined): string {
  const outcome = outcomeOf(call)
  const action = withObject(actionWords(title ?? call.tool_name, 1, outcome === 'done'), argumentsOf(call))
  return visibleText(outcome === 'done' ? action : `${beforeAction[outcome]}: ${action}`).text
}

type Arguments = Record<string, unknown>

const argumentsOf = ({ arguments: given }: LoggedCall): Arguments =>
  typeof given === 'object' && given !== null && !Array.isArray(given) ? (given as Arguments) : {}

/** "Read a note" about Compost.md is "Read Compost". */
function withObject(action: string, given: Arguments): string {
  const notes = notesIn(given)
  const [first, second] = notes
  if (first !== undefined) {
    const names = second === undefined ? first : count(notes.length, 'note')
    const target = textIn(given.new_path)
    const to = target === undefined ? '' : ` to ${target.endsWith('/') ? target : nameOf(target)}`
    if (/ (?:a )?(?:note|files)$/.test(action)) return action.replace(/ (?:a )?(?:note|files)$/, ` ${names}${to}`)
    return / properties$/.test(action) ? `${action} of ${names}` : `${action}: ${names}${to}`
  }
  const query = textIn(given.query)
  if (query !== undefined) return `${action} for “${shortened(query)}”`
  const about = textIn(given.url) ?? tagsIn(given.tags) ?? textIn(given.text) ?? textIn(given.where) ?? given.folder
  return typeof about === 'string' && about !== '' ? `${action}: ${shortened(about)}` : action
}

const textIn = (value: unknown): string | undefined => (typeof value === 'string' && value !== '' ? value : undefined)

const tagsIn = (value: unknown): string | undefined =>
  Array.isArray(value) && value.length > 0 && value.every((tag) => typeof tag === 'string')
    ? value.map((tag: string) => `#${tag.replace(/^#/, '')}`).join(', ')
    : undefined

function notesIn({ path, note, filePaths }: Arguments): string[] {
  const named = Array.isArray(filePaths) ? filePaths : [path ?? note]
  return named.flatMap((one: unknown) => (typeof one === 'string' && one !== '' ? [nameOf(one)] : []))
}

const mostShown = 80

const shortened = (text: string): string => (text.length > mostShown ? `${text.slice(0, mostShown)}…` : text)

/** A note as people call it: without its folder and extension. */
export const nameOf = (path: string): string => path.slice(path.lastIndexOf('/') + 1).replace(/\.md$/i, '')

/** The person, rule or level that allowed or prevented a call. */
export function decisionWords({ decision, rule }: LoggedCall): string {
  if (rule === 'person') {
    if (decision === 'denied') return 'Denied by you'
    return decision === 'edited' ? 'Approved by you, with your edits' : 'Approved by you'
  }
  if (decision === 'edited') return `Approved by you, with your edits (${visibleText(rule).text})`
  if (decision === 'approved') return `Approved by you (${visibleText(rule).text})`
  if (decision === 'dry-run') return 'Only previewed'
  return `${decision === 'allowed' ? 'Allowed by' : 'Blocked by'} ${ruleWords(rule)}`
}

function ruleWords(rule: string): string {
  const level = /^level:(.+)$/.exec(rule)?.[1]
  return level === undefined ? visibleText(rule).text : `the approval level (${visibleText(level).text})`
}

export function iconOf(call: LoggedCall): IconName {
  const outcome = outcomeOf(call)
  if (outcome === 'interrupted') return 'warning'
  if (outcome === 'denied' || outcome === 'blocked') return 'refused'
  if (outcome === 'failed') return 'failed'
  if (call.change_set !== undefined) return 'edit'
  if ((call.egress?.length ?? 0) > 0) return 'up'
  return /search|query/.test(call.tool_name) ? 'search' : 'note'
}

/** "4.2 kB to api.openai.com, with Compost and 2 more notes". */
export function requestWords(requests: readonly LoggedRequest[]): string {
  const size = requests.reduce((sum, request) => sum + request.bytes, 0)
  const places = [...new Set(requests.map(({ destination }) => destination))]
  const content = [...new Set(requests.flatMap(({ notes, files = [] }) => [...notes, ...files]))]
  const [first] = content
  const rest = content.length - 1
  const withNotes =
    first === undefined
      ? ''
      : `, with ${nameOf(first)}${rest > 0 ? ` and ${count(rest, 'more note', 'more notes')}` : ''}`
  return visibleText(`${bytes(size)} to ${places.join(', ')}${withNotes}`).text
}

const stateTexts: Record<HistoryEntry['state'], string> = {
  applied: '',
  undone: 'Undone',
  'partly-undone': 'Partly undone',
  'rolled-back': 'Rolled back',
  unfinished: 'Interrupted',
  undecided: 'Interrupted; notes need your decision',
  damaged: 'This entry of the journal is damaged',
}

/** The state of a change, with what the recovery after a crash did. '' if it was simply applied. */
export function stateWords({ state, recovered }: HistoryEntry): string {
  if (recovered === undefined || state === 'undecided') return stateTexts[state]
  const how = `Interrupted, then ${recovered.went === 'finished' ? 'completed' : 'undone'}`
  return state === 'applied' || state === 'rolled-back' ? how : `${how}; ${stateTexts[state].toLowerCase()}`
}

export const canBeUndone = ({ state }: HistoryEntry): boolean => state === 'applied' || state === 'partly-undone'

/** "2 notes: Compost, Beans". */
export function notesWords({ changes }: HistoryEntry): string {
  const names = [...new Set(changes.map(({ path, to }) => nameOf(to ?? path)))]
  const shown = names.slice(0, 3).join(', ')
  return visibleText(names.length > 3 ? `${count(names.length, 'note')}: ${shown} and ${names.length - 3} more` : shown)
    .text
}
