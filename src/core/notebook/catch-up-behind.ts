import { bringUpToDate } from './bring-up-to-date.js'
import { lookForChanges, lostVectors } from './freshness.js'
import type { CatchingUp, OpenParts } from './open-parts.js'

/** So long a search waits for changed notes to be read: some hundred are, and nobody minds. */
const waitMs = 1000

/**
 * What has changed is read at once, behind: a search waits for it a moment, then answers with what is there and says
 * how much is missing. Vectors that were lost are made again without anyone waiting.
 */
export async function catchUpBriefly(parts: OpenParts): Promise<void> {
  const found = await lookForChanges(parts)
  if (found.count > 0) {
    parts.catchingUp ??= catchUpBehind(parts, found.count)
    await withinMs(waitMs, parts.catchingUp.done)
  } else if ((await lostVectors(parts)).vectorsLostBy !== undefined) {
    parts.mending ??= mendVectors(parts)
  }
}

// What fails here fails again, aloud, for whoever brings the index up to date and waits for it.

function catchUpBehind(parts: OpenParts, left: number): CatchingUp {
  const catchingUp: CatchingUp = { left, done: Promise.resolve() }
  const update = async () => {
    // While others were at work this may have been done.
    const found = await lookForChanges(parts)
    if (found.count === 0) return
    await bringUpToDate(parts, {
      found,
      vectors: false,
      signal: parts.closing.signal,
      onProgress: ({ phase, done, total }) => {
        if (phase === 'reading') catchingUp.left = total - done
      },
    })
  }
  const end = () => {
    parts.catchingUp = undefined
  }
  catchingUp.done = parts.background.then(update).then(end, end)
  parts.background = catchingUp.done
  return catchingUp
}

function mendVectors(parts: OpenParts): Promise<void> {
  const end = () => {
    parts.mending = undefined
  }
  return parts.runStages(['vectors'], { vectors: true, signal: parts.closing.signal }).then(end, end)
}

async function withinMs(ms: number, work: Promise<void>): Promise<void> {
  let timer: ReturnType<typeof setTimeout> | undefined
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms)
  })
  await Promise.race([work, late]).finally(() => clearTimeout(timer))
}
