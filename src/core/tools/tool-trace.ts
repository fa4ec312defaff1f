import type { FailureCode } from '../errors.js'
import { isRecord } from '../is-record.js'
import { redactor } from './redact.js'
import type { ToolStep } from './run/tool-call.js'

/** Receives the steps of `runTool` and writes the lines of `--verbose`, without their prefix. */
export function toolTracer(write: (line: string) => void): (step: ToolStep) => void {
  const inputs = new Map<string, unknown>()
  return (step) => {
    for (const line of traceSteps(step, inputs).flatMap(traceLines)) write(line)
  }
}

function traceSteps(step: ToolStep, inputs: Map<string, unknown>): TraceStep[] {
  switch (step.step) {
    case 'requested':
      return [step]
    case 'proposed':
      return []
    case 'decided': {
      const { callId, input, tool } = step.proposed
      const decided = decisionText(tool.name, step.decision)
      if (step.decision.verdict === 'deny') return [decided]
      inputs.set(callId, input)
      return [decided, { step: 'executing', tool: tool.name, input }]
    }
    case 'ended': {
      const { callId, name: tool } = step.result
      const input = inputs.get(callId)
      inputs.delete(callId)
      if (!step.result.ok) return [{ step: 'failed', tool, code: step.result.code, error: step.error }]
      return [{ step: 'completed', tool, input, output: step.result.output }]
    }
  }
}

function decisionText(
  tool: string,
  { verdict, rule, ...more }: Extract<ToolStep, { step: 'decided' }>['decision'],
): TraceStep {
  if (verdict === 'deny') return rule === 'person' ? { step: 'cancelled', tool } : { step: 'denied', tool, rule }
  const decision = 'loggedAs' in more ? more.loggedAs : 'allowed'
  return decision === 'allowed' ? { step: 'allowed', tool, rule } : { step: decision, tool }
}

/** One step of a call, for the trace. */
export type TraceStep =
  | { step: 'registered'; tool: string }
  /** The model requested this number of tools in one reply. */
  | { step: 'requested'; calls: number }
  | { step: 'asking'; tool: string }
  | { step: 'approved' | 'edited' | 'cancelled'; tool: string }
  /** Decided without a user. */
  | { step: 'allowed' | 'denied'; tool: string; rule: string }
  | { step: 'executing'; tool: string; input: unknown }
  | { step: 'completed'; tool: string; input?: unknown; output: unknown }
  /** The model's reply broke off, or did not come. */
  | { step: 'stream-error'; text: string; stack?: string | undefined }
  /** The stack of an unexpected error. */
  | { step: 'failed'; tool: string; code: FailureCode | 'aborted'; error?: unknown }

/** The lines of `--verbose` for one step, without their prefix. Never the text of a note, never a key. */
export function traceLines(step: TraceStep): string[] {
  switch (step.step) {
    case 'registered':
      return [`Registered tool: ${step.tool}`]
    case 'requested':
      return [`AI requested ${step.calls} tool call(s)`, `Handling ${step.calls} tool call(s)`]
    case 'stream-error':
      return [`Stream error: ${step.text}`, ...(step.stack === undefined ? [] : [step.stack])]
    case 'asking':
      return [`Requesting approval for tool: ${step.tool}`]
    case 'approved':
      return [`Tool approved by user: ${step.tool}`]
    case 'edited':
      return [`Tool approved by user, with changes: ${step.tool}`]
    case 'cancelled':
      return [`Tool cancelled by user: ${step.tool}`]
    case 'allowed':
      return [`Tool allowed: ${step.tool} (${step.rule})`]
    case 'denied':
      return [`Tool denied: ${step.tool} (${step.rule})`]
    case 'executing':
      return [`Executing tool: ${step.tool} ${argumentsInBrief(step.input)}`.trimEnd()]
    case 'completed':
      return [...resultCount(step), `Tool execution completed: ${step.tool}`]
    case 'failed':
      return [`Tool execution failed: ${step.tool} (${step.code})`, ...stackOf(step)]
  }
}

/** Arguments that name something are shown; those that carry text are measured. */
const namingArguments = new Set([
  ...[
    'path',
    'new_path',
    'filePaths',
    'folder',
    'heading',
    'block',
    'lines',
    'part',
    'depth',
    'limit',
    'top_k',
    'tags',
  ],
  ...['tag', 'match', 'date', 'timezone', 'from', 'to', 'action', 'minutes', 'date_after', 'date_before', 'date_field'],
])

const shortened = redactor({ maxText: 120, maxEntries: 5, maxDepth: 2, maxTotal: 400 })

function argumentsInBrief(input: unknown): string {
  if (!isRecord(input)) return ''
  const shown = Object.entries(input).map(([name, value]) => {
    if (namingArguments.has(name)) return `${name}: ${JSON.stringify(shortened(value))}`
    if (typeof value === 'string') return `${name}: ${value.length} characters`
    return typeof value === 'number' || typeof value === 'boolean' ? `${name}: ${value}` : name
  })
  return shown.length === 0 ? '' : `(${shown.join(', ')})`
}

/** The number of results, in the established terms of the two oldest tools. */
function resultCount({ tool, input, output }: { tool: string; input?: unknown; output: unknown }): string[] {
  const count = isRecord(output) ? resultFields.map((name) => output[name]).find(Array.isArray)?.length : undefined
  if (count === undefined) return []
  if (tool === 'file_read') return [`Read ${count} files`]
  if (tool === 'vault_search')
    return [`Vault search: ${JSON.stringify(shortened(queryOf(input)))} found ${count} results`]
  return [`${tool}: ${count} results`]
}

/** Keys of results in the output of tools. */
const resultFields = ['results', 'notes', 'links', 'files']

function queryOf(input: unknown): string {
  const { query } = (input ?? {}) as { query?: unknown }
  return typeof query === 'string' ? query : ''
}

function stackOf({ code, error }: { code: string; error?: unknown }): string[] {
  return code === 'internal' && error instanceof Error ? [`${error.stack}`] : []
}
