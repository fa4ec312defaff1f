import { isRecord } from '../../is-record.js'
import type { LanguageModelV3CallOptions, LanguageModelV3Message, LanguageModelV3Prompt } from '../../model/index.js'
import { type Material, openEnvelopes } from './open-envelopes.js'

export interface Result {
  /** The tool that gave it. */
  name: string
  /** What it was called with, where that is known. */
  input?: Record<string, unknown>
  text: string
  isError: boolean
}

/** What of a prompt counts: what the person asks, and what the tools have answered to that. */
export interface Situation {
  /** The person's own words, without anything that was put beside them. */
  text: string
  currentNote?: string
  /** Text the person selected or attached. */
  attached: Material[]
  results: Result[]
  /** How often tools have been called in this turn. */
  rounds: number
  offered: ReadonlySet<string>
  /** An earlier answer of this conversation has said that there is no model. */
  isModelMissed: boolean
}

export function readPrompt({ prompt, tools = [], toolChoice }: LanguageModelV3CallOptions): Situation {
  const names = toolChoice?.type === 'none' ? [] : tools.map(({ name }) => name)
  const offered = new Set(toolChoice?.type === 'tool' ? names.filter((name) => name === toolChoice.toolName) : names)
  const at = requestIn(prompt, offered.size > 0)
  const { text, currentNote, materials } = openEnvelopes(at === -1 ? '' : textOf(prompt[at]))
  const after = prompt.slice(at + 1)
  const enclosed = materials.flatMap(({ label, text: found }): Result[] => {
    const name = /^result of (\S+)$/.exec(label)?.[1]
    // Nothing can be told from a picture here.
    return name === undefined || name === 'view_file' ? [] : [{ name, text: found, isError: !looksDone(name, found) }]
  })
  return {
    text,
    ...(currentNote !== undefined && { currentNote }),
    attached: materials.filter(({ label }) => !/^(?:result of \S+$|prompt \/|wishes in |not shown: )/.test(label)),
    results: [...enclosed, ...resultsIn(after)],
    rounds: after.filter(({ role }) => role === 'tool').length,
    offered,
    isModelMissed: prompt.slice(0, Math.max(at, 0)).some(saysModelMissing),
  }
}

const saysModelMissing = (message: LanguageModelV3Message): boolean =>
  message.role === 'assistant' && textOf(message).includes('No language model is configured')

/** Where the person speaks last. At the step limit the loop itself asks for an answer, right after the results. */
function requestIn(prompt: LanguageModelV3Prompt, hasTools: boolean): number {
  const roles = prompt.map(({ role }) => role)
  const last = roles.lastIndexOf('user')
  const isLoop = !hasTools && last === prompt.length - 1 && roles[last - 1] === 'tool'
  return isLoop ? roles.lastIndexOf('user', last - 1) : last
}

function textOf({ content }: LanguageModelV3Message): string {
  if (typeof content === 'string') return content
  return content.flatMap((part) => (part.type === 'text' ? [part.text] : [])).join('\n\n')
}

function resultsIn(messages: LanguageModelV3Prompt): Result[] {
  const inputs = new Map<string, unknown>()
  const results: Result[] = []
  for (const message of messages) {
    if (message.role === 'assistant') {
      for (const part of message.content) if (part.type === 'tool-call') inputs.set(part.toolCallId, part.input)
    }
    if (message.role !== 'tool') continue
    for (const part of message.content) {
      if (part.type !== 'tool-result') continue
      const { output } = part
      const isError = output.type === 'error-text' || output.type === 'error-json' || output.type === 'execution-denied'
      results.push({
        name: part.toolName,
        ...(isRecord(inputs.get(part.toolCallId)) && { input: inputs.get(part.toolCallId) as Record<string, unknown> }),
        text: 'value' in output ? asText(output.value) : ('reason' in output && output.reason) || 'It was refused.',
        isError,
      })
    }
  }
  return results
}

const asText = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''))

/** An enclosed result does not say whether the call went well, but its first words do. */
function looksDone(name: string, text: string): boolean {
  const done = doneTexts[name]
  return done === undefined
    ? !/^(?:Error|Tool |Unknown tool|User cancelled|\w+ failed unexpectedly)/.test(text)
    : done.test(text)
}

const json = /^\s*[[{]|\n\s*[[{]/
const doneTexts: Record<string, RegExp> = {
  search_notes: json,
  search_by_tag: json,
  list_backlinks: json,
  list_forward_links: json,
  get_note_metadata: json,
  get_random_note: json,
  get_tag_list: /^#|^The vault has no tags/m,
  read_note: /^\[.+\]/m,
  get_current_time: /epoch ms \d/,
  get_time_range: /epoch ms \d/,
  rename_note: /^(?:Note renamed|Would do)/,
  delete_note: /^(?:Note deleted|Would do)/,
  write_note: /^(?:Note (?:created|overwritten) successfully|Would do)|already has exactly this content/,
  append_note: /^(?:Text added to|Would do)/,
  remember: /^(?:Remembered|Already remembered|Would do)/,
  create_daily_note: /^(?:Note created successfully|Text added to|The daily note exists|Would do)/,
  update_frontmatter: /^(?:Frontmatter updated|Nothing to change|Would do)/,
}
