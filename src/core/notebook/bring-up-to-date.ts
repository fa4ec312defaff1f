import type { IndexStage, UnseenChanges } from '../vault-index/index.js'
import { beginAnew, discardIndex } from './begin-anew.js'
import { listQuickly } from './list-quickly.js'
import type { TimeSpent, UpdateOptions } from './notebook.js'
import { fewFiles, nothingUnseen, type OpenParts } from './open-parts.js'

interface UpdateWork extends UpdateOptions {
  /** Many files are known to have changed. */
  isLarge?: boolean
  /** What a look at the vault has just found. */
  found?: UnseenChanges
}

/** Reads what has changed and makes the vectors that are missing, on a new index where the old one is damaged. */
export async function bringUpToDate(parts: OpenParts, work: UpdateWork): Promise<TimeSpent> {
  if (work.anew) await discardIndex(parts, 'you asked for it')
  return beginAnew(parts, (isNew) => updateOnce(parts, isNew ? { ...work, found: undefined } : work))
}

export async function updateOnce(parts: OpenParts, work: UpdateWork): Promise<TimeSpent> {
  const { index, runStages } = parts
  const startedAt = performance.now()
  const vectors = work.vectors !== false
  const isEmpty = await index.isEmpty()
  const found = work.found ?? (work.isLarge ? undefined : await lookFor(parts, isEmpty, work.signal))
  const left = found?.count ?? Number.POSITIVE_INFINITY
  let lexicalAt = startedAt
  const textIsDone = () => {
    lexicalAt = performance.now()
    work.onText?.()
  }
  const onDone = (stage: IndexStage) => {
    if (stage !== 'vectors') textIsDone()
  }
  const { signal, onProgress } = work
  const run = (...stages: IndexStage[]) => runStages(stages, { signal, onProgress, vectors, onDone })
  if (left > fewFiles) {
    // Much memory is given back between the two; where there is little to do, one thread does both.
    await (isEmpty || vectors ? run('read', 'vectors') : run('both'))
  } else {
    if (left > 0) await index.catchUp({ signal, onProgress, unseen: found })
    textIsDone()
    if (vectors && !(await index.hasAllVectors())) await run('vectors')
    else await index.finishVectors({ signal, onProgress, fit: false })
  }
  parts.unseen = nothingUnseen
  const endedAt = performance.now()
  return {
    ms: Math.round(endedAt - startedAt),
    lexicalMs: Math.round(lexicalAt - startedAt),
    vectorsMs: Math.round(endedAt - lexicalAt),
  }
}

/** undefined where a new index begins with more than can be listed in a moment. */
async function lookFor({ vault, index }: OpenParts, isEmpty: boolean, signal: AbortSignal | undefined) {
  if (!isEmpty) return index.unseenChanges({ signal })
  const files = await listQuickly(vault, signal)
  return files && index.unseenChanges({ files })
}
