import { join } from 'node:path'
import { pathToFileURL } from 'node:url'
import type { Diff, SessionUpdate, ToolCallContent, ToolCallLocation, ToolKind } from '@agentclientprotocol/sdk'
import { parsePatch } from 'diff'
import type { AgentEvent, Citation } from '../../core/agent/index.js'
import {
  callLabel,
  citationWords,
  citedPlace,
  compactedLine,
  projectLine,
  retryLine,
  whyNotDone,
} from '../../core/session/index.js'
import type { Tool } from '../../core/tools/index.js'
import type { ShownChange } from '../../core/vault/index.js'

/** The vault of a session, as far as its updates depend on it. */
export interface UpdateContext {
  /** Folder of the vault. */
  root: string
  toolNamed(name: string): Tool | undefined
}

/** Translates the events of a session, in order, into the updates that an editor draws. */
export function sessionUpdates({ root, toolNamed }: UpdateContext): (event: AgentEvent) => SessionUpdate[] {
  const hidden = new Set<string>()
  /** Calls whose changes the editor shows already. */
  const shown = new Set<string>()

  return (event) => {
    switch (event.type) {
      case 'text-delta':
        return [message(event.text)]
      case 'reasoning-delta':
        return [thought(event.text)]
      case 'tool-call': {
        if (event.background) hidden.add(event.call.id)
        if (event.background) return []
        const { id, name, input } = event.call
        const tool = toolNamed(name)
        return [
          {
            sessionUpdate: 'tool_call',
            toolCallId: id,
            title: callLabel(event),
            name,
            kind: tool ? toolKind(tool) : 'other',
            status: 'in_progress',
            rawInput: input,
            locations: pathsIn(input).map((path) => ({ path: join(root, path) })),
          },
        ]
      }
      case 'tool-progress':
        if (hidden.has(event.callId)) return []
        return [
          {
            sessionUpdate: 'tool_call_update',
            toolCallId: event.callId,
            content: [textContent(progressText(event.progress))],
          },
        ]
      case 'tool-result': {
        const { call, result } = event
        if (hidden.has(call.id)) return []
        const text = result.ok ? result.text : whyNotDone(result)
        return [
          {
            sessionUpdate: 'tool_call_update',
            toolCallId: call.id,
            status: result.ok ? 'completed' : 'failed',
            ...(!(result.ok && shown.has(call.id)) && { content: [textContent(text)] }),
          },
        ]
      }
      case 'approval-asked': {
        const { panel } = event
        const requests = panel.kind === 'question' ? [] : panel.kind === 'batch' ? panel.requests : [panel]
        return requests.flatMap(({ callId, changes = [] }) => {
          if (changes.length === 0) return []
          shown.add(callId)
          return [
            {
              sessionUpdate: 'tool_call_update',
              toolCallId: callId,
              content: changeContents(changes, root),
              locations: changeLocations(changes, root),
            },
          ]
        })
      }
      case 'retrying':
        return [thought(`${retryLine(event)}\n`)]
      case 'notice':
        return [thought(`${event.text}\n`)]
      case 'compacted':
        return [thought(`${compactedLine(event)}\n`)]
      case 'project-changed':
        return [thought(`${projectLine(event)}\n`)]
      case 'citations':
        return event.citations.length === 0 ? [] : [message(sourcesText(event.citations, root))]
      // The editor has drawn the question itself.
      case 'run-start':
      case 'run-end':
      case 'step-start':
      case 'step-end':
      case 'waiting':
      case 'messages':
      case 'call-handed':
      case 'branch-changed':
      case 'approval-decided':
        return []
      default:
        event satisfies never
        return []
    }
  }
}

export const textBlock = (text: string) => ({ type: 'text' as const, text })

export const textContent = (text: string): ToolCallContent => ({ type: 'content', content: textBlock(text) })

export const message = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_message_chunk',
  content: textBlock(text),
})

export const thought = (text: string): SessionUpdate => ({
  sessionUpdate: 'agent_thought_chunk',
  content: textBlock(text),
})

function progressText({ text, done, total }: Extract<AgentEvent, { type: 'tool-progress' }>['progress']): string {
  return total === undefined ? text : `${text} ${done ?? 0} of ${total}`
}

/** The kind by which an editor chooses an icon. */
export function toolKind({ name, category, effects }: Pick<Tool, 'name' | 'category' | 'effects'>): ToolKind {
  if (effects.includes('reaches-network')) return 'fetch'
  if (name === 'delete_note') return 'delete'
  if (name === 'rename_note') return 'move'
  if (effects.includes('writes') || effects.includes('destroys')) return 'edit'
  if (category === 'search') return 'search'
  return effects.includes('reads') ? 'read' : 'other'
}

/** Paths that a call names, so that an editor can follow along. */
function pathsIn(input: unknown): string[] {
  if (typeof input !== 'object' || input === null || !('path' in input)) return []
  return typeof input.path === 'string' && /\.(?:md|canvas|base)$/i.test(input.path) ? [input.path] : []
}

/** Sources as links that editors open at their line. */
function sourcesText(citations: readonly Citation[], root: string): string {
  const lines = citations.map((citation) => {
    const words = citationWords(citation)
    return `${linkTo(citation, root)}${words === '' ? '' : ` (${words})`}`
  })
  return `\n\nSources:\n\n${[...new Set(lines)].map((line, at) => `${at + 1}. ${line}`).join('\n')}\n`
}

function linkTo(citation: Citation, root: string): string {
  const { path, lines, check } = citation
  const place = citedPlace(citation)
  if (path === undefined || check === 'missing') return place
  const address = `${pathToFileURL(join(root, path))}${lines === undefined ? '' : `#L${lines[0]}`}`
  return `[${place.replace(/[[\]\\]/g, '\\$&')}](${address.replace(/[()]/g, encodeURIComponent)})`
}

/** The changes of a request as an editor shows them: each hunk of a text as a diff, the rest in words. */
export function changeContents(changes: readonly ShownChange[], root: string): ToolCallContent[] {
  return changes.flatMap((change) => {
    const { kind, path, to, diff } = change
    if (kind === 'move') return [textContent(`Move ${path} to ${to}`)]
    if (kind === 'trash') return [textContent(`Move ${path} to the trash`)]
    const diffs = hunkDiffs(diff, join(root, path), kind === 'create')
    return diffs.length > 0 ? diffs : [textContent(`Change ${path}${diff === undefined ? '' : `\n${diff}`}`)]
  })
}

export const changeLocations = (changes: readonly ShownChange[], root: string): ToolCallLocation[] =>
  changes.map(({ path }) => ({ path: join(root, path) }))

function hunkDiffs(diff: string | undefined, path: string, isNew: boolean): (Diff & { type: 'diff' })[] {
  if (diff === undefined) return []
  const [patch] = readPatch(diff)
  return (patch?.hunks ?? []).map(({ lines }) => {
    // "\ No newline at end of file" is not part of the text.
    const side = (mark: string) =>
      lines.flatMap((line) => (line.startsWith(' ') || line.startsWith(mark) ? [line.slice(1)] : [])).join('\n')
    return { type: 'diff', path, oldText: isNew ? null : side('-'), newText: side('+') }
  })
}

/** A diff that was cut short is no complete patch, and is shown as text. */
function readPatch(diff: string): ReturnType<typeof parsePatch> {
  try {
    return parsePatch(diff)
  } catch {
    return []
  }
}
