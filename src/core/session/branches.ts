import type { AgentEvent } from '../agent/index.js'
import { Failure } from '../errors.js'
import type { StoredEvent } from './session-store.js'

/** A turn of a conversation with branches, with the events up to the next turn. */
interface TurnNode {
  turn?: string
  /** The turn it continues; absent for the beginning of the conversation. */
  before?: TurnNode
  /** Number of turns up to and with this one. */
  turns: number
  events: StoredEvent[]
}

/**
 * The events of the branch that the conversation is in. A conversation is a tree of turns: a new turn continues the one
 * that is shown last, and `branch-changed` chooses another one to continue.
 */
export function shownBranch(events: readonly StoredEvent[]): readonly StoredEvent[] {
  if (events.every(({ event }) => event.type !== 'branch-changed')) return events
  return pathTo(readTree(events).shown).flatMap((node) => node.events)
}

/** Where a conversation continues; without `after` at its beginning. */
export interface BranchPoint {
  after?: string
  /** Number of turns up to there. */
  turns: number
}

/** The newest turn in the branch of a turn. */
export function endOfBranch(events: readonly StoredEvent[], turn: string): BranchPoint {
  const { nodes } = readTree(events)
  const wanted = found(nodes, turn)
  const newest = [...nodes.values()].reverse().find((node) => pathTo(node).includes(wanted))
  return pointAt(newest ?? wanted)
}

/** The place before a turn, where another one can take its place, and the events of the turn itself. */
export function placeOfTurn(
  events: readonly StoredEvent[],
  turn: string,
): { point: BranchPoint; replaced: readonly AgentEvent[] } {
  const { nodes, beginning } = readTree(events)
  const { before = beginning, events: replaced } = found(nodes, turn)
  return { point: pointAt(before), replaced: replaced.map(({ event }) => event) }
}

const pointAt = ({ turn, turns }: TurnNode): BranchPoint => ({ ...(turn !== undefined && { after: turn }), turns })

function found(nodes: ReadonlyMap<string, TurnNode>, turn: string): TurnNode {
  const node = nodes.get(turn)
  if (node === undefined) throw new Failure('not-found', 'This message is not part of the chat.', { data: { turn } })
  return node
}

function readTree(events: readonly StoredEvent[]) {
  const beginning: TurnNode = { turns: 0, events: [] }
  const nodes = new Map<string, TurnNode>()
  let shown = beginning
  for (const stored of events) {
    const { event } = stored
    if (event.type === 'branch-changed') {
      shown = event.after === undefined ? beginning : (nodes.get(event.after) ?? shown)
      continue
    }
    if (event.type === 'run-start' && !event.continues) {
      shown = { turn: event.turn, before: shown, turns: shown.turns + 1, events: [] }
      nodes.set(event.turn, shown)
    }
    shown.events.push(stored)
  }
  return { beginning, nodes, shown }
}

function pathTo(node: TurnNode): TurnNode[] {
  const path: TurnNode[] = []
  for (let at: TurnNode | undefined = node; at !== undefined; at = at.before) path.push(at)
  return path.reverse()
}
