import type { Registry, Tool } from '../tools/index.js'
import type { NotePath } from '../vault/index.js'
import type { SessionStore } from './session-store.js'

/** Notes that a conversation read, cited or changed, in order, with the kind of access. */
export async function notesTouched(
  sessions: Pick<SessionStore, 'read'>,
  tools: Pick<Registry, 'find'>,
  session: string,
): Promise<Map<NotePath, string>> {
  const touched = new Map<NotePath, Set<Touch>>()
  const add = (path: NotePath, touch: Touch) => void touched.set(path, (touched.get(path) ?? new Set()).add(touch))
  for (const { event } of await sessions.read(session, { types: ['tool-result', 'citations'] })) {
    if (event.type === 'citations') for (const { path } of event.citations) if (path) add(path, 'cited')
    if (event.type !== 'tool-result' || !event.result.ok) continue
    const { name, output, changeSet } = event.result
    for (const path of notesIn(tools.find(name)?.tool, output)) add(path, 'seen')
    for (const { path, to } of changeSet?.changes ?? []) add(to ?? path, 'changed')
  }
  return new Map([...touched].map(([path, touches]) => [path, order.filter((touch) => touches.has(touch)).join(', ')]))
}

/** Stored output of an earlier version may have another form. */
function notesIn(tool: Tool | undefined, output: unknown): readonly NotePath[] {
  try {
    return tool?.notesIn?.(output) ?? []
  } catch {
    return []
  }
}

type Touch = (typeof order)[number]

const order = ['changed', 'cited', 'seen'] as const
