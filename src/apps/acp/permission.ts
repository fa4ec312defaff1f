import type { PermissionOption, RequestPermissionRequest, RequestPermissionResponse } from '@agentclientprotocol/sdk'
import {
  type AllowChoice,
  type ApprovalAnswer,
  type ApprovalRequest,
  type AskUser,
  allowChoices,
  askEach,
} from '../../core/approval/index.js'
import { requestLines } from '../../core/session/index.js'
import { visibleText } from '../../core/text/index.js'
import { changeContents, changeLocations, textContent, toolKind, type UpdateContext } from './updates.js'

/** Sends a permission request to the editor; stops waiting when the signal aborts. */
export type RequestPermission = (
  request: Omit<RequestPermissionRequest, 'sessionId'>,
  signal: AbortSignal,
) => Promise<RequestPermissionResponse>

/** Asks the user of the editor. Calls of one reply are asked one after the other, in their order. */
export function askInEditor(context: UpdateContext, requestPermission: RequestPermission): AskUser {
  return askEach(async (request, signal) => {
    const { outcome } = await requestPermission(permissionRequest(request, context), signal)
    return outcome.outcome === 'selected' ? answerOf(outcome.optionId, request) : { verdict: 'deny' }
  })
}

const denyId = 'deny'

function permissionRequest(
  request: ApprovalRequest,
  { root, toolNamed }: UpdateContext,
): Omit<RequestPermissionRequest, 'sessionId'> {
  const { callId, input, changes = [], pick = [] } = request
  const tool = toolNamed(request.tool.name)
  const [, ...about] = requestLines(request)
  const more = [
    ...about,
    ...(pick.length > 0 ? [`Shares: ${pick.map(oneLine).join(', ')}`] : []),
    // Without changes, sends or notes to share, the arguments are all there is to see.
    ...(changes.length === 0 && pick.length === 0 ? [visibleText(JSON.stringify(input, null, 1)).text] : []),
  ]
  return {
    toolCall: {
      toolCallId: callId,
      title: oneLine(request.title),
      name: request.tool.name,
      kind: tool ? toolKind(tool) : 'other',
      status: 'pending',
      content: [...(more.length > 0 ? [textContent(more.join('\n'))] : []), ...changeContents(changes, root)],
      locations: changeLocations(changes, root),
      rawInput: input,
    },
    options: [...allowChoices(request).map(allowOption), { optionId: denyId, name: 'Deny', kind: 'reject_once' }],
  }
}

const oneLine = (text: string): string => visibleText(text).text.replaceAll('\n', ' ')

function allowOption({ scope, about, rules: [rule] }: AllowChoice): PermissionOption {
  if (scope === 'once') return { optionId: scope, name: 'Allow', kind: 'allow_once' }
  // The literal rule that is remembered is part of the choice.
  return { optionId: scope, name: rule === undefined ? about : `${about} ${oneLine(rule)}`, kind: 'allow_always' }
}

/** Anything but a choice that was offered is a denial. */
function answerOf(optionId: string, request: ApprovalRequest): ApprovalAnswer {
  const choice = allowChoices(request).find(({ scope }) => scope === optionId)
  if (choice === undefined) return { verdict: 'deny' }
  const [rule] = choice.rules
  return {
    verdict: 'allow',
    scope: choice.scope,
    ...(rule !== undefined && { rule }),
    ...(request.pick && { picked: request.pick }),
  }
}
