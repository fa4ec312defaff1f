import type { ElicitRequestFormParams } from '@modelcontextprotocol/server'
import type { ApprovalBatch, ApprovalRequest, Panel } from '../../../core/approval/index.js'
import { visibleText } from '../../../core/text/index.js'
import { describeRequest } from './describe-request.js'

export type ApprovalForm = Pick<ElicitRequestFormParams, 'message' | 'requestedSchema'>
type Fields = ElicitRequestFormParams['requestedSchema']['properties']

/** Words of the field `decision`, as the person reads them. */
export const decisions = { once: 'allow once', session: 'allow for this session', no: 'no' } as const

/** Notes and calls that fit into a form as things to tick. */
const mostTicks = 50

/**
 * What a panel asks, as a form. Nothing is chosen beforehand: whoever sends it back as it came has said no. Older
 * clients get a box for each thing that others can tick in a list.
 */
export function approvalForm(panel: Panel, { canTick }: { canTick: boolean }): ApprovalForm | undefined {
  if (panel.kind === 'question') return undefined
  if (panel.kind === 'batch') return batchForm(panel, canTick)
  const message = describeRequest(panel)
  if (panel.pick) return form(message, { ...ticks('notes', 'Notes to share', panel.pick, canTick), ...reason })
  return form(message, { decision: decisionField(panel), ...reason }, ['decision'])
}

function form(message: string, properties: Fields, required: string[] = []): ApprovalForm {
  return { message, requestedSchema: { type: 'object', properties, ...(required.length > 0 && { required }) } }
}

function decisionField({ scopes, offers }: ApprovalRequest): Fields[string] {
  const hasSession = scopes.includes('session') && offers.length > 0
  return {
    type: 'string',
    title: 'Allow it?',
    ...(hasSession && { description: `For this session means: allow ${seen(offers[0].rule)}` }),
    enum: [decisions.once, ...(hasSession ? [decisions.session] : []), decisions.no],
  }
}

const reason: Fields = {
  reason: { type: 'string', title: 'If not: why?', description: 'The model reads this.', maxLength: 1000 },
}

function batchForm({ requests }: ApprovalBatch, canTick: boolean): ApprovalForm {
  const titles = requests.slice(0, mostTicks).map((request, at) => `${at + 1}. ${seen(request.title)}`)
  const message = [
    `${requests.length} calls wait for you. Nothing passes that you do not choose.`,
    ...requests.slice(0, mostTicks).map((request, at) => `\n${at + 1}. ${describeRequest(request, 600)}`),
  ].join('\n')
  return form(message, ticks('calls', 'Calls to allow', titles, canTick))
}

function ticks(name: string, title: string, choices: readonly string[], canTick: boolean): Fields {
  const some = choices.slice(0, mostTicks)
  if (canTick) return { [name]: { type: 'array', title, items: { type: 'string', enum: [...some] } } }
  return Object.fromEntries(some.map((choice, at) => [tickName(name, at), { type: 'boolean', title: seen(choice) }]))
}

/** The box of one thing, where it cannot stand in a list. */
export const tickName = (name: string, at: number): string => `${name}_${at + 1}`

const seen = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')
