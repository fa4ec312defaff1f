import type { ParsedReply, ReaderOptions } from '../../src/core/dialects/index.js'
import { dialectName } from '../../src/core/dialects/index.js'

/** One line of test/cases/toolcall-cases.jsonl. */
export interface ToolcallCase {
  id: string
  format: string
  level: 'must' | 'should'
  text: string
  text_repeat?: { token: string; text_unit: string; value_unit: string; count: number }
  starts_in_reasoning?: boolean
  tools: { name: string; parameters: Record<string, unknown> }[]
  expected: { name: string; arguments: Record<string, unknown> }[]
  expected_errors?: { kind: string; name?: string }[]
  expected_text: string | null
  expected_reasoning?: string
  note: string
}

/** Reads the case file; long arguments are written out. */
export function parseCases(lines: string): ToolcallCase[] {
  return lines
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => expanded(JSON.parse(line)))
}

export function optionsOf({ tools, format, starts_in_reasoning }: ToolcallCase): ReaderOptions {
  return {
    tools: tools.map(({ name, parameters }) => ({ name, inputSchema: parameters })),
    format: dialectName(format),
    startsInReasoning: starts_in_reasoning,
  }
}

/** A reply in the form that the cases compare. */
export function outcomeOf(reply: ParsedReply, { expected_text, text, expected_errors = [] }: ToolcallCase) {
  const wanted = expected_text !== null && expected_text.trim() === text.trim()
  const shown = wanted ? reply.text.trim() : folded(reply.text)
  return {
    calls: reply.calls,
    text: expected_text === null ? null : shown,
    reasoning: reply.reasoning,
    errors: reply.errors.map(({ kind, name }, index) => (expected_errors[index]?.name ? { kind, name } : { kind })),
  }
}

export function expectationOf({ expected, expected_text, text, expected_reasoning, expected_errors }: ToolcallCase) {
  const unchanged = expected_text !== null && expected_text.trim() === text.trim()
  return {
    calls: expected,
    text: expected_text === null ? null : unchanged ? expected_text.trim() : folded(expected_text),
    reasoning: expected_reasoning ?? '',
    errors: (expected_errors ?? []).map(({ kind, name }) => (name ? { kind, name } : { kind })),
  }
}

const folded = (text: string): string => text.replace(/\s+/g, ' ').trim()

function expanded(example: ToolcallCase): ToolcallCase {
  if (example.text_repeat === undefined) return example
  const { token, text_unit, value_unit, count } = example.text_repeat
  const value = JSON.stringify(value_unit.repeat(count)).slice(1, -1)
  return {
    ...example,
    text: example.text.replace(token, () => text_unit.repeat(count)),
    expected: JSON.parse(JSON.stringify(example.expected).replace(token, () => value)),
  }
}
