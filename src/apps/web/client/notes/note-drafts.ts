/** Text of a note that was typed and not saved yet. */
export interface NoteDraft {
  text: string
  /** The text it was begun from, and the hash of its bytes. */
  base: string
  hash: string
}

const keyOf = (path: string): string => `notewright-note:${path}`

/**
 * This tab's own draft, else the last one of any tab. A tab keeps its own, so that two tabs that edit the same note do
 * not overwrite each other.
 */
export function readNoteDraft(path: string): NoteDraft | undefined {
  for (const storage of storages()) {
    try {
      const draft: unknown = JSON.parse(storage.getItem(keyOf(path)) ?? 'null')
      if (isDraft(draft)) return draft
    } catch {
      // Another program's value, or a browser that stores nothing.
    }
  }
  return undefined
}

/** Returns false where the browser could not store it: it would not survive that the page is closed. */
export function writeNoteDraft(path: string, draft: NoteDraft | undefined): boolean {
  const stored = storages().map((storage) => {
    try {
      if (draft === undefined) storage.removeItem(keyOf(path))
      else storage.setItem(keyOf(path), JSON.stringify(draft))
      return true
    } catch {
      return false
    }
  })
  return draft === undefined || stored.includes(true)
}

function storages(): Storage[] {
  try {
    return [sessionStorage, localStorage]
  } catch {
    return []
  }
}

function isDraft(value: unknown): value is NoteDraft {
  const { text, base, hash } = (value ?? {}) as Partial<NoteDraft>
  return typeof text === 'string' && typeof base === 'string' && typeof hash === 'string'
}
