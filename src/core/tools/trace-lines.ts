import type { FailureCode } from '../errors.js'
import { isRecord } from '../is-record.js'
import { redactor } from './redact.js'

/** A moment in the life of a call that someone looking over our shoulder wants to hear of. */
export type TraceStep =
  | { step: 'registered'; tool: string }
  /** The model asked for so many tools at once. */
  | { step: 'requested'; calls: number }
  | { step: 'asking'; tool: string }
  | { step: 'approved' | 'edited' | 'cancelled'; tool: string }
  /** Decided without a person. */
  | { step: 'allowed' | 'denied'; tool: string; rule: string }
  | { step: 'executing'; tool: string; input: unknown }
  | { step: 'completed'; tool: string; input?: unknown; output: unknown }
  /** The model's reply broke off, or did not come. */
  | { step: 'stream-error'; text: string; stack?: string }
  /** Of what nobody expected, the stack tells where. */
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
      return [...found(step), `Tool execution completed: ${step.tool}`]
    case 'failed':
      return [`Tool execution failed: ${step.tool} (${step.code})`, ...stackOf(step)]
  }
}

/** Arguments that name something are shown; those that carry text are measured. */
const naming = new Set([
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

const brief = redactor({ maxText: 120, maxEntries: 5, maxDepth: 2, maxTotal: 400 })

function argumentsInBrief(input: unknown): string {
  if (!isRecord(input)) return ''
  const shown = Object.entries(input).map(([name, value]) => {
    if (naming.has(name)) return `${name}: ${JSON.stringify(brief(value))}`
    if (typeof value === 'string') return `${name}: ${value.length} characters`
    return typeof value === 'number' || typeof value === 'boolean' ? `${name}: ${value}` : name
  })
  return shown.length === 0 ? '' : `(${shown.join(', ')})`
}

/** How much came back, in the words people know for the two oldest tools. */
function found({ tool, input, output }: { tool: string; input?: unknown; output: unknown }): string[] {
  const count = isRecord(output) ? lists.map((name) => output[name]).find(Array.isArray)?.length : undefined
  if (count === undefined) return []
  if (tool === 'file_read') return [`Read ${count} files`]
  if (tool === 'vault_search') return [`Vault search: ${JSON.stringify(brief(queryOf(input)))} found ${count} results`]
  return [`${tool}: ${count} results`]
}

/** The keys under which tools answer what they found. */
const lists = ['results', 'notes', 'links', 'files']

function queryOf(input: unknown): string {
  const { query } = (input ?? {}) as { query?: unknown }
  return typeof query === 'string' ? query : ''
}

function stackOf({ code, error }: { code: string; error?: unknown }): string[] {
  return code === 'internal' && error instanceof Error ? [`${error.stack}`] : []
}
