import type { ApprovalRequest } from '../../core/approval/index.js'

/** One note of a change of many notes. */
export interface ReviewedNote {
  path: string
  name: string
  folder: string
  /** Positions of its changes. */
  changes: readonly number[]
  /** `change/hunk` of the hunks that can be kept or rejected; empty if the note is changed as a whole or not at all. */
  keys: readonly string[]
  /** Lines that come and go. */
  added: number
  removed: number
}

/** Notes that are changed for the same reason. */
export interface NoteGroup {
  title: string
  notes: readonly ReviewedNote[]
  /** A few notes that differ from each other. */
  samples: readonly ReviewedNote[]
  rest: readonly ReviewedNote[]
}

const mostSamples = 5

/** The notes of a request by the rule that changes them, or else by the kind of change. A note is in one group only. */
export function noteGroups(request: ApprovalRequest): readonly NoteGroup[] {
  const { changes = [], hunks = [], impact, rules = [] } = request
  const keysOf = new Map(hunks.map((own) => [own.change, own.hunks.map((_, at) => `${own.change}/${at}`)]))
  const sizes = new Map(
    hunks.map(({ change, hunks: own }) => [
      change,
      { added: sum(own.map(({ added }) => added.length)), removed: sum(own.map(({ removed }) => removed.length)) },
    ]),
  )
  const ruleOf = new Map<number, string>()
  for (const { title, changes: own } of rules) for (const at of own) if (!ruleOf.has(at)) ruleOf.set(at, title)

  const byNote = new Map<string, number[]>()
  for (const [at, { path }] of changes.entries()) byNote.set(path, [...(byNote.get(path) ?? []), at])
  const byTitle = new Map<string, ReviewedNote[]>()
  for (const [path, own] of byNote) {
    const first = changes[own[0]!]!
    const title =
      own.map((at) => ruleOf.get(at)).find(Boolean) ??
      (first.kind === 'edit' && impact ? 'Update links' : kinds[first.kind])
    const cut = path.lastIndexOf('/') + 1
    const lines = own.map((at) => sizes.get(at) ?? linesIn(changes[at]?.diff))
    const note: ReviewedNote = {
      path,
      name: path.slice(cut).replace(/\.md$/i, ''),
      folder: path.slice(0, Math.max(0, cut - 1)),
      changes: own,
      keys: own.flatMap((at) => keysOf.get(at) ?? []),
      added: sum(lines.map(({ added }) => added)),
      removed: sum(lines.map(({ removed }) => removed)),
    }
    byTitle.set(title, [...(byTitle.get(title) ?? []), note])
  }
  return [...byTitle].map(([title, notes]) => {
    const samples = samplesOf(notes)
    const chosen = new Set(samples)
    return { title, notes, samples, rest: notes.filter((note) => !chosen.has(note)) }
  })
}

const kinds = {
  create: 'Create notes',
  edit: 'Change notes',
  append: 'Add to notes',
  move: 'Move notes',
  trash: 'Move notes to trash',
}

/** The first and the last note, those with the most and the fewest changed lines, and one between. */
function samplesOf(notes: readonly ReviewedNote[]): readonly ReviewedNote[] {
  if (notes.length <= mostSamples) return notes
  const bySize = [...notes].sort((a, b) => b.added + b.removed - (a.added + a.removed))
  const wanted = [notes[0], bySize[0], bySize.at(-1), notes[Math.floor(notes.length / 2)], notes.at(-1)]
  const samples = new Set(wanted.flatMap((note) => note ?? []))
  for (const note of notes) {
    if (samples.size >= mostSamples) break
    samples.add(note)
  }
  return notes.filter((note) => samples.has(note))
}

function linesIn(diff = ''): { added: number; removed: number } {
  const lines = diff.split('\n').slice(2)
  return {
    added: lines.filter((line) => line.startsWith('+')).length,
    removed: lines.filter((line) => line.startsWith('-')).length,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, number) => total + number, 0)
