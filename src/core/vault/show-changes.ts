import { createTwoFilesPatch, FILE_HEADERS_ONLY } from 'diff'
import type { Change, ChangeSet, ContentHash } from './change-set.js'
import { decodeNote } from './decode-note.js'
import type { NotePath } from './note-path.js'

export interface ShownChange {
  kind: Change['kind']
  path: NotePath
  to?: NotePath
  /** Unified diff; absent where the text does not change. */
  diff?: string
}

/** What a person sees before saying yes: each change with its diff, from the same bytes that will be written. */
export async function showChanges(
  set: ChangeSet,
  current: (path: NotePath) => Promise<{ bytes: Uint8Array; hash: ContentHash } | undefined>,
  limit = 200_000,
): Promise<ShownChange[]> {
  const planned = new Map<string, Uint8Array | undefined>()
  const at = async (path: NotePath) => {
    return planned.has(path) ? planned.get(path) : (await current(path))?.bytes
  }
  const put = (path: NotePath, bytes: Uint8Array | undefined) => planned.set(path, bytes)

  const shown: ShownChange[] = []
  let left = limit
  const diffOf = (path: NotePath, before: Uint8Array, after: Uint8Array) => {
    const diff = left > 0 ? showDiff(path, before, after, left) : '(not shown: the whole diff is too long)\n'
    left -= diff.length
    return diff
  }
  for (const change of set.changes) {
    const { kind, path } = change
    const before = (await at(path)) ?? nothing
    if (kind === 'move') {
      put(path, undefined)
      put(change.to, before)
      shown.push({ kind, path, to: change.to })
    } else if (kind === 'trash') {
      put(path, undefined)
      shown.push({ kind, path })
    } else {
      const after = kind === 'append' ? joined(before, change.added) : change.after
      put(path, after)
      shown.push({ kind, path, diff: diffOf(path, before, after) })
    }
  }
  return shown
}

/** Unified diff of two states of a file, in text or in a sentence where text would not help; never longer than `limit`. */
export function showDiff(path: string, before: Uint8Array, after: Uint8Array, limit = 200_000): string {
  const [old, fresh] = [decodeNote(before), decodeNote(after)]
  if (old.encoding === 'invalid' || fresh.encoding === 'invalid') return `${sizes(before, after)}, not UTF-8\n`
  if (before.length + after.length > textLimit) return `${sizes(before, after)}, too long to compare\n`
  const diff = createTwoFilesPatch(path, path, old.text, fresh.text, undefined, undefined, {
    context: 3,
    timeout: 1000,
    headerOptions: FILE_HEADERS_ONLY,
  })
  if (diff === undefined) return `${sizes(before, after)}, too different to compare\n`
  return diff.length <= limit ? diff : `${diff.slice(0, limit)}\n(diff cut after ${limit} characters)\n`
}

const nothing = new Uint8Array()
const textLimit = 8 << 20

function sizes(before: Uint8Array, after: Uint8Array): string {
  return `${before.length} bytes become ${after.length} bytes`
}

function joined(start: Uint8Array, end: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(start.length + end.length)
  bytes.set(start)
  bytes.set(end, start.length)
  return bytes
}
