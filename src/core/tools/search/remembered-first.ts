import { Failure } from '../../errors.js'
import { defaultMemoryNote, type Remembered, rememberedIn } from '../../memory/index.js'
import { type NoteFile, notePath } from '../../vault/index.js'
import { contentStems } from '../../vault-index/index.js'
import type { ToolContext } from '../tool-context.js'

export interface RememberedHit {
  note: NoteFile
  /** Those that have to do with the query, newest first. */
  memories: Remembered[]
}

/** What the memory note says about a query, before anything else is looked at. Hidden, the note says nothing. */
export async function rememberedFor(
  query: string,
  { vault, settings }: Pick<ToolContext, 'vault' | 'settings'>,
): Promise<RememberedHit | undefined> {
  const note = await readMemory(settings.memoryNote ?? defaultMemoryNote, vault)
  if (note === undefined) return undefined
  const asked = contentStems(query)
  const memories = rememberedIn(note.text).filter(({ text }) => {
    const said = contentStems(text)
    const shared = [...asked].filter((word) => said.has(word)).length
    return shared > 0 && shared * 3 >= asked.size
  })
  return memories.length === 0 ? undefined : { note, memories: [...memories].reverse().slice(0, mostShown) }
}

const mostShown = 5

/** A memory note that cannot be read stops no search. */
async function readMemory(path: string, vault: ToolContext['vault']): Promise<NoteFile | undefined> {
  try {
    return await vault.read(notePath(path))
  } catch (error) {
    if (error instanceof Failure) return undefined
    throw error
  }
}
