import type { ToolChoice } from '../writing/tool-prompt.js'

/** Which of the calls in a reply go on to whoever runs them. */
export interface CallGate {
  /** Whether the call with this index goes on at all. */
  passes(index: number): boolean
  /** Why a call of this tool is an error, if it is. */
  refusal(name: string): string | undefined
}

export function callGate(choice: ToolChoice, parallel: boolean): CallGate {
  let first: number | undefined
  return {
    passes(index) {
      if (choice === 'none') return false
      first ??= index
      return parallel || index === first
    },
    refusal(name) {
      if (typeof choice === 'string' || name === choice.name) return undefined
      return `Only ${choice.name} may be called in this reply. ${name} was not run.`
    },
  }
}
