import type { HistoryEntry, RecordedEntry } from './journal-entry.js'

/** A row of the journal that cannot be read. What its remains tell is not certain, so nothing is ever done because of it. */
export interface DamagedRow {
  /** Counted from 1 in the log as it lies on the disk. */
  line: number
  /** The newest change that stands in the log before it; 0 when there is none. */
  after: number
  /** Its end is missing, as a crash or a full disk leaves a row. */
  isCut: boolean
  remains: RowRemains
  /** The file with the texts from before the change, where its row is lost and they are not. */
  earlierTexts?: string
}

/** `intent` began a change, `end` said how it ended. */
export interface RowRemains {
  row?: 'intent' | 'end'
  sequence?: number
  id?: string
  title?: string
  time?: number
}

/** What can still be read of a damaged row. */
export function remainsOf(text: string): RowRemains {
  const row = /"row":"([a-z-]+)"/.exec(text)?.[1]
  // An undo names the sequences of others before its own.
  const sequence = row === 'intent' ? /"sequence":(\d{1,15})\},"notes"/ : /"sequence":(\d{1,15})\b/
  return {
    ...(row !== undefined && { row: row === 'intent' ? 'intent' : 'end' }),
    ...valueIn(text, 'sequence', sequence),
    ...valueIn(text, 'time', /"time":(\d{1,15})\b/),
    ...valueIn(text, 'id', /"id":("[\w-]{1,64}")/),
    ...valueIn(text, 'title', /"title":("(?:[^"\\]|\\.){1,1000}")/),
  }
}

/** Damaged rows as lines of the history, so that whoever looks there sees that something is missing. */
export function damagedHistory(row: DamagedRow, entries: Map<number, RecordedEntry>): HistoryEntry {
  const { line, remains, after } = row
  return {
    id: remains.id ?? `row-${line}`,
    time: remains.time ?? entries.get(after)?.entry.time ?? 0,
    title: damageSentence(row, entries),
    state: 'damaged',
    changes: [],
    undoes: [],
  }
}

function damageSentence(row: DamagedRow, entries: Map<number, RecordedEntry>): string {
  const { line, isCut, after, remains } = row
  const head = `Row ${line} of the journal is ${isCut ? 'cut off' : 'damaged'}`
  const about = entries.get(remains.sequence ?? after)
  // What began a change comes first; where the change is known, this was its end.
  if (remains.row === 'end' && about !== undefined) {
    const state = about.state === 'open' ? 'not known' : `taken to be "${about.state}"`
    return `${head}: how "${about.entry.title}" ended is ${state}.`
  }
  const which = remains.title === undefined ? 'what it told of a change is lost' : `"${remains.title}" is lost from it`
  const began = isCut ? ', or never began' : ''
  const kept = row.earlierTexts === undefined ? '' : ` The texts from before are kept in ${row.earlierTexts}.`
  return `${head}: ${which} and cannot be undone${began}.${kept}`
}

function valueIn(text: string, name: keyof RowRemains, pattern: RegExp): RowRemains {
  const json = pattern.exec(text)?.[1]
  try {
    return json === undefined ? {} : { [name]: JSON.parse(json) as unknown }
  } catch {
    return {}
  }
}
