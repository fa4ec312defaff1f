import { type ApprovalAnswer, type ApprovalRequest, decidedText, type Scope } from '../../core/approval/index.js'
import { count, visibleText } from '../../core/text/index.js'
import type { ApprovalDecision } from '../transcript/transcript.js'

/** Everything that a user can leave unchanged. */
export function firstChoice({ pick = [], hunks = [] }: ApprovalRequest): ApprovalChoices {
  return {
    picked: new Set<string>(pick),
    hunks: new Set(hunks.flatMap(({ change, hunks: own }) => own.map((_, at) => `${change}/${at}`))),
    touchesHidden: false,
  }
}

export interface ScopeSelection {
  scope: Scope
  rule?: string | undefined
}

/** An answer that allows exactly the chosen parts. */
export function chosenAnswer(
  request: ApprovalRequest,
  chosen: ApprovalChoices,
  { scope, rule }: ScopeSelection,
): ApprovalAnswer {
  if (chosen.input !== undefined) return { verdict: 'allow', input: chosen.input }
  const results = editedResults(request, chosen)
  if (results.length > 0) return { verdict: 'allow', results }
  if (chosen.touchesHidden) return { verdict: 'allow', touchesHidden: true }
  const { pick, hunks } = request
  const accepted = hunks?.map(({ change, hunks: own }) => ({
    change,
    hunks: own.flatMap((_, at) => (chosen.hunks.has(`${change}/${at}`) ? [at] : [])),
  }))
  const isPart = accepted?.some(({ hunks: some }, at) => some.length < (hunks?.[at]?.hunks.length ?? 0))
  return {
    verdict: 'allow',
    scope,
    ...(rule !== undefined && { rule }),
    ...(pick && { picked: pick.filter((path) => chosen.picked.has(path)) }),
    ...(isPart && { hunks: accepted }),
  }
}

/** True if the choices leave nothing to allow. */
export function isEmptyChoice(
  { pick, hunks, impact, results = [] }: ApprovalRequest,
  chosen: ApprovalChoices,
): boolean {
  // A note can move without any link being updated.
  if (isEdited({ results }, chosen) || impact) return false
  return (pick !== undefined && chosen.picked.size === 0) || (hunks !== undefined && chosen.hunks.size === 0)
}

/** The user's choices in a panel so far. */
export interface ApprovalChoices {
  /** Selected items of `pick`. */
  picked: ReadonlySet<string>
  /** `change/hunk` of those that are accepted. */
  hunks: ReadonlySet<string>
  /** Links in hidden notes are to be rewritten too. */
  touchesHidden: boolean
  /** Other arguments; absent while they are as they were. */
  input?: unknown
  /** Text in place of the planned text, by the position of the change. */
  texts?: Readonly<Record<number, string>>
}

type Editable = Pick<ApprovalRequest, 'results'>

function editedResults({ results = [] }: Editable, { texts = {} }: ApprovalChoices) {
  return results.flatMap(({ change, text }) => {
    const edited = texts[change] ?? text
    return edited === text ? [] : [{ change, text: edited }]
  })
}

/** True if the user has other arguments or another text in mind, which are shown before anything happens. */
export const isEdited = (request: Editable, chosen: ApprovalChoices): boolean =>
  chosen.input !== undefined || editedResults(request, chosen).length > 0

/** Label of the button: the effect of pressing it. */
export function allowWords(request: ApprovalRequest, chosen: ApprovalChoices): string {
  const { kind, pick, hunks, impact, changes, sends, tool } = request
  if (chosen.input !== undefined) return 'Use the changed arguments'
  if (isEdited(request, chosen)) return 'Show the edited change'
  if (kind === 'executable') return 'Write text that other programs run'
  if (pick) return `Share ${chosen.picked.size} of ${pick.length}`
  const all = hunks?.reduce((sum, own) => sum + own.hunks.length, 0) ?? 0
  const isPart = chosen.hunks.size < all
  if (impact) {
    if (chosen.touchesHidden) return 'Plan it with the hidden notes'
    if (isPart) return `${tool.title.split(' ', 1)[0]}, and apply ${chosen.hunks.size} of ${all} changes to links`
    const verb = tool.title.split(' ', 1)[0] ?? 'Apply'
    return impact.links === 0 ? verb : `${verb} and update ${count(impact.links, 'link')}`
  }
  if (isPart) return `Apply ${chosen.hunks.size} of ${all} changes`
  const [change, ...otherChanges] = changes ?? []
  if (change !== undefined && otherChanges.length === 0) return changeWords(change)
  if (changes && changes.length > 1) return `Apply ${count(changes.length, 'change')}`
  const [send] = sends
  if (send !== undefined)
    return `Send it to ${hostOf(send.url)}${sends.length > 1 ? ` and ${sends.length - 1} more` : ''}`
  return tool.effects.every((effect) => effect === 'reads') ? `Allow: ${line(tool.title)}` : `Run ${line(tool.title)}`
}

function changeWords({ kind, path }: NonNullable<ApprovalRequest['changes']>[number]): string {
  const name = line(path.slice(path.lastIndexOf('/') + 1))
  switch (kind) {
    case 'create':
      return `Create ${name}`
    case 'edit':
      return `Apply to ${name}`
    case 'append':
      return `Add to ${name}`
    case 'move':
      return `Move ${name}`
    case 'trash':
      return `Move ${name} to trash`
    default:
      return kind satisfies never
  }
}

const hostOf = (url: string): string => (URL.canParse(url) && new URL(url).host) || 'the network'

const line = (text: string): string => {
  const shown = visibleText(text).text.replaceAll('\n', ' ')
  return shown.length > 60 ? `${shown.slice(0, 57)}…` : shown
}

/** Text about the decision: by whom, for which part, for how long. */
export function decidedWords(
  { verdict, scope, by: decidedBy, part, edited }: ApprovalDecision,
  isMine: boolean,
): string {
  if (decidedBy === 'expired') return 'Denied: no answer in time'
  if (decidedBy === 'closed') return 'Denied, since the window was closed'
  if (decidedBy === 'stopped') return 'Void, since the turn was stopped'
  // Decided in another window, or before this one was opened.
  const by = (verb: string) => (isMine ? `You ${verb.toLowerCase()}` : verb)
  if (verdict === 'deny') return by('Denied')
  // Edited arguments and texts are decided separately.
  if (edited) return by('Edited')
  const what = part === undefined ? '' : ` ${part.allowed} of ${part.all} ${part.of}`
  return `${by('Allowed')}${what}${decidedText(scope ?? 'once')}`
}
