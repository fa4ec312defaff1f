import type { LanguageModelV3ToolResultOutput } from './sdk.js'

/** What a tool's result says, as one text. */
export function resultText(output: LanguageModelV3ToolResultOutput): string {
  if (output.type === 'text' || output.type === 'error-text') return output.value
  if (output.type === 'execution-denied') return output.reason ?? 'User cancelled tool execution'
  return JSON.stringify(output.value)
}
