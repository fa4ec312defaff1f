import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import {
  type AllowChoice,
  type ApprovalAnswer,
  type ApprovalBatch,
  type ApprovalRequest,
  allowChoices,
  type BatchAnswer,
  type UserRequest,
} from '../../core/approval/index.js'
import { requestLines } from '../../core/session/index.js'
import { visibleText } from '../../core/text/index.js'
import { cutText } from '../../core/tools/index.js'

type ApprovalForm = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>
type Fields = ElicitRequestFormParams['requestedSchema']['properties']

/** The value of the field `decision` that denies, as the user reads it. */
const denial = 'no'

/** Maximum notes or calls to choose from in a form. */
const maxChoices = 50

/**
 * An approval request as a form. Nothing is preselected: a form sent back unchanged is a denial. Older clients get one
 * checkbox for each entry that others can choose in a list.
 */
export function approvalForm(
  panel: UserRequest,
  { canShowLists }: { canShowLists: boolean },
): ApprovalForm | undefined {
  if (panel.kind === 'question') return undefined
  if (panel.kind === 'batch') return batchForm(panel, canShowLists)
  const message = describeRequest(panel)
  if (panel.pick)
    return form(message, { ...choiceFields('notes', 'Notes to share', panel.pick, canShowLists), ...reason })
  return form(message, { decision: decisionField(panel), ...reason }, ['decision'])
}

function form(message: string, properties: Fields, required: string[] = []): ApprovalForm {
  return { message, requestedSchema: { type: 'object', properties, ...(required.length > 0 && { required }) } }
}

function decisionField(request: ApprovalRequest): Fields[string] {
  const choices = formChoices(request)
  const remembering = choices.find(({ rules }) => rules.length > 0)
  return {
    type: 'string',
    title: 'Allow it?',
    ...(remembering && {
      description: `Choosing “session” adds this rule until the session ends: allow ${oneLine(remembering.rules[0] ?? '')}`,
    }),
    // `!`: formChoices returns only choices that have a form.
    enum: [...choices.map(({ form }) => form!), denial],
  }
}

const formChoices = (request: ApprovalRequest): AllowChoice[] =>
  allowChoices(request).filter(({ form }) => form !== undefined)

const reason: Fields = {
  reason: { type: 'string', title: 'Reason for denying', description: 'Sent to the model.', maxLength: 1000 },
}

function batchForm({ requests }: ApprovalBatch, canShowLists: boolean): ApprovalForm {
  const titles = requests.slice(0, maxChoices).map((request, at) => `${at + 1}. ${oneLine(request.title)}`)
  const message = [
    `${requests.length} calls need your approval. Calls you don't choose are denied.`,
    ...requests.slice(0, maxChoices).map((request, at) => `\n${at + 1}. ${describeRequest(request, 600)}`),
  ].join('\n')
  return form(message, choiceFields('calls', 'Calls to allow', titles, canShowLists))
}

function choiceFields(name: string, title: string, choices: readonly string[], canShowLists: boolean): Fields {
  const some = choices.slice(0, maxChoices)
  if (canShowLists) return { [name]: { type: 'array', title, items: { type: 'string', enum: [...some] } } }
  return Object.fromEntries(
    some.map((choice, at) => [checkboxName(name, at), { type: 'boolean', title: oneLine(choice) }]),
  )
}

/** The checkbox of one entry, for clients that cannot show lists. */
const checkboxName = (name: string, at: number): string => `${name}_${at + 1}`

const oneLine = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')

/** The reply of a client to a form, not validated. */
interface FormReply {
  action?: unknown
  content?: unknown
}

/** The user's answer. Anything but a clear approval is a denial. */
export function readAnswer(panel: UserRequest, { action, content }: FormReply): ApprovalAnswer | BatchAnswer {
  const values = (typeof content === 'object' && content !== null ? content : {}) as Record<string, unknown>
  const isSent = action === 'accept'
  if (panel.kind === 'question') return { verdict: 'deny' }
  if (panel.kind === 'batch') return isSent ? batchAnswer(panel, values) : { verdict: 'each', answers: {} }
  const denied = {
    verdict: 'deny' as const,
    ...(typeof values.reason === 'string' && { words: values.reason.slice(0, 1000) }),
  }
  if (!isSent) return denied
  if (panel.pick) {
    const picked = chosen('notes', panel.pick, values)
    return picked.length === 0 ? denied : { verdict: 'allow', picked }
  }
  const choice = formChoices(panel).find(({ form }) => form === values.decision)
  return choice === undefined ? denied : { verdict: 'allow', scope: choice.scope }
}

function batchAnswer({ requests }: ApprovalBatch, values: Record<string, unknown>): BatchAnswer {
  // Compared by number: clients may change the titles.
  const numbers = chosen(
    'calls',
    requests.map((_, at) => `${at + 1}`),
    values,
    (value) => /^(\d+)\./.exec(value)?.[1],
  )
  const allowed = requests.filter((_, at) => numbers.includes(`${at + 1}`))
  return {
    verdict: 'each',
    answers: Object.fromEntries(
      allowed.map(({ id, pick }) => [
        id,
        { verdict: 'allow' as const, scope: 'once' as const, ...(pick && { picked: pick }) },
      ]),
    ),
  }
}

/** The chosen entries, from a list or from checkboxes. */
function chosen<Choice extends string>(
  name: string,
  choices: readonly Choice[],
  values: Record<string, unknown>,
  choiceOf: (value: string) => string | undefined = (value) => value,
): Choice[] {
  const list = Array.isArray(values[name]) ? values[name] : []
  const listed = new Set(list.flatMap((value) => (typeof value === 'string' ? choiceOf(value) : [])))
  return choices.filter((choice, at) => listed.has(choice) || values[checkboxName(name, at)] === true)
}

/** Maximum characters of diffs and arguments in a form. */
const defaultLength = 4000

/** An approval request as text, shortened for a form with the full size named. */
function describeRequest(request: ApprovalRequest, maxLength = defaultLength): string {
  const body = describeChanges(request) ?? describeArguments(request)
  return [...requestLines(request), ...(body === '' ? [] : ['', shortenText(body, maxLength)])].join('\n')
}

function describeChanges({ changes }: ApprovalRequest): string | undefined {
  if (changes === undefined) return undefined
  return changes
    .map(({ kind, path, to, diff }) => `${changeVerbs[kind]} ${path}${to ? ` to ${to}` : ''}${diff ? `\n${diff}` : ''}`)
    .join('\n')
}

const changeVerbs = { create: 'create', edit: 'change', append: 'add to', move: 'move', trash: 'move to trash' }

function describeArguments({ input, pick }: ApprovalRequest): string {
  return pick ? '' : JSON.stringify(input, null, 1)
}

function shortenText(text: string, maxLength: number): string {
  const visible = visibleText(text).text
  if (visible.length <= maxLength) return visible
  const lines = visible.split('\n').length
  return `${cutText(visible, maxLength)}\n[Truncated. The full text has ${visible.length.toLocaleString('en')} characters in ${lines.toLocaleString('en')} lines.]`
}
