import type { ScriptedCall, ScriptedStep } from '../doubles/scripted-model.js'

export const dialectsToTry = ['native', 'sentinel', 'use-tool'] as const
export type TriedDialect = (typeof dialectsToTry)[number]

/** The same reply as a model of that dialect would write it: thoughts, words and calls in one text. */
export function inDialect(step: ScriptedStep, dialect: TriedDialect): ScriptedStep {
  if (dialect === 'native' || 'fail' in step || 'stall' in step) return step
  const { think, say, call = [] } = step
  const parts = [think && `<think>\n${think}\n</think>`, say, ...call.map((one) => writers[dialect](one))]
  return { say: parts.filter(Boolean).join('\n\n') }
}

/** Written here and not by the writers of the dialects, so that their faults cannot cancel out. */
const writers: Record<Exclude<TriedDialect, 'native'>, (call: ScriptedCall) => string> = {
  sentinel: ({ name, input }) => `<tool_call>\n{"name": "${name}", "arguments": ${textOf(input)}}\n</tool_call>`,
  'use-tool': ({ name, input }) =>
    isFlat(input)
      ? `<use_tool>\n<name>${name}</name>\n${elements(input)}</use_tool>`
      : `<use_tool>\n<name>${name}</name>\n<args>${textOf(input)}</args>\n</use_tool>`,
}

const textOf = (input: unknown): string => (typeof input === 'string' ? input : JSON.stringify(input))

const isFlat = (input: unknown): input is Record<string, string | number> =>
  typeof input === 'object' && input !== null && Object.values(input).every((value) => typeof value !== 'object')

const elements = (input: Record<string, string | number>): string =>
  Object.entries(input)
    // A line end behind the opening tag and one before the closing tag are layout.
    .map(([key, value]) => `<${key}>${`${value}`.includes('\n') ? `\n${value}\n` : value}</${key}>\n`)
    .join('')
