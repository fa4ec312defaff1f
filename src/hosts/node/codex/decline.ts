/**
 * What Codex hears when it asks a person: no. Whoever uses it as a model has nobody sitting at Codex's own door.
 * Requests that are not here are answered with "no such method", which it takes as no, too.
 */
export const declined: Readonly<Record<string, unknown>> = {
  'item/commandExecution/requestApproval': { decision: 'decline' },
  'item/fileChange/requestApproval': { decision: 'decline' },
  'item/tool/requestUserInput': { answers: {} },
  'mcpServer/elicitation/request': { action: 'decline', content: null, _meta: null },
  applyPatchApproval: { decision: 'denied' },
  execCommandApproval: { decision: 'denied' },
}
