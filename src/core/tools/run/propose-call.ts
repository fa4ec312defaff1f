import type { ChangeSet } from '../../vault/index.js'
import type { ProposedCall, ReachedNote } from '../guard.js'
import type { RegisteredTool } from '../registry.js'
import type { ToolContext } from '../tool-context.js'
import type { ToolCall } from './tool-call.js'

/** Finds out what a call would do, down to the bytes, and does nothing. */
export async function proposeCall(
  call: ToolCall,
  { tool, source, foreign }: RegisteredTool,
  input: unknown,
  edited: boolean,
  context: ToolContext,
): Promise<ProposedCall> {
  const origin = { tool, source, ...(foreign && { foreign }) }
  const about = { callId: call.id, session: context.session, turn: call.turn, ...origin, edited }
  if (tool.plan !== undefined) {
    const plan = await tool.plan(input, context)
    const effects = plan.effects ?? tool.effects
    return {
      ...about,
      input,
      effects,
      notes: writtenNotes(plan.changes, effects.includes('destroys')),
      sends: [],
      plan,
    }
  }
  const reach = (await tool.reaches?.(input, context)) ?? {}
  const read = [...new Set([...(reach.notes ?? []), ...(reach.pick ?? [])])]
  return {
    ...about,
    input: reach.input ?? input,
    effects: tool.effects,
    notes: read.map((path) => ({ path, access: 'reads' })),
    sends: reach.sends ?? [],
    ...(reach.pick && { pick: reach.pick }),
    ...(reach.notices && { notices: reach.notices }),
  }
}

function writtenNotes({ changes }: ChangeSet, destroys: boolean): ReachedNote[] {
  const notes = new Map<string, ReachedNote>()
  const add = (path: ReachedNote['path'], access: ReachedNote['access']) => {
    if (notes.get(path)?.access !== 'destroys') notes.set(path, { path, access })
  }
  for (const change of changes) {
    if (change.kind === 'move') {
      add(change.path, 'destroys')
      add(change.to, 'writes')
    } else if (change.kind === 'trash') add(change.path, 'destroys')
    else add(change.path, change.kind === 'edit' && destroys && changes.length === 1 ? 'destroys' : 'writes')
  }
  return [...notes.values()]
}
