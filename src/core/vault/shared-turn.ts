import { Failure } from '../errors.js'

/** Where the plugin lies in the folder of Obsidian's settings: the one place that it and the command line both reach. */
export const pluginPlace = 'plugins/notewright'

/** What a turn needs of that place. Paths are below it. */
export interface TurnFolder {
  /** What is in a folder; undefined where there is no such folder. */
  names(path: string): Promise<string[] | undefined>
  /** A folder with one empty file in it. */
  make(folder: string, file: string): Promise<void>
  /** Fails where a folder with something in it has the name already. */
  rename(path: string, to: string): Promise<void>
  remove(file: string): Promise<void>
  /** Fails unless it is empty. */
  removeFolder(path: string): Promise<void>
}

/** As long as it takes to wait for whoever died while it was theirs, and for some others. */
const mostWaitMs = 20_000
/** Whoever waits longer wants to know for what. */
const momentMs = 1500
/** A holder that does not say meanwhile that it goes on is dead. */
const silentMs = 8000
const renewMs = 1000
const place = 'turn'

/**
 * Runs `work` while no other program of ours writes to the notes. Obsidian writes into a file, the command line puts
 * another in its place: without turns one would write over what the other has just acknowledged. A turn is a folder
 * with a file named for its holder, which comes under its name in one stroke. Only its holder's own file is ever taken out.
 * `onWait` hears once that it takes longer than a moment.
 */
export async function withTurn<T>(folder: TurnFolder, work: () => Promise<T>, onWait = () => {}): Promise<T> {
  const release = await takeTurn(folder, onWait)
  try {
    return await work()
  } finally {
    await release?.()
  }
}

/** Answers how to give it back; undefined on a disk where no turns can be made. */
async function takeTurn(folder: TurnFolder, onWait: () => void): Promise<(() => Promise<void>) | undefined> {
  const token = crypto.randomUUID()
  const begun = performance.now()
  let hasTold = false
  let seen = { holder: '', since: 0 }
  let vain = 0
  for (let pause = 1; ; pause = Math.min(pause * 2, 16)) {
    const holder = (await folder.names(place))?.join()
    if (!holder) {
      const isTaken = await claim(folder, token, holder === '')
      if (isTaken) return holding(folder, token)
      // Nobody is there, and yet it cannot be had.
      if (isTaken === undefined || ++vain > mostInVain) return undefined
    } else {
      vain = 0
      const now = performance.now()
      if (holder !== seen.holder) seen = { holder, since: now }
      else if (now - seen.since > silentMs) await clearAway(folder, holder.split(','))
    }
    const waited = performance.now() - begun
    if (waited >= mostWaitMs) throw inUse()
    if (waited >= momentMs && !hasTold) {
      hasTold = true
      onWait()
    }
    await sleep(pause + Math.random() * pause)
  }
}

const mostInVain = 40

/** undefined where not even the attempt can be made. */
async function claim(folder: TurnFolder, token: string, isLeftEmpty: boolean): Promise<boolean | undefined> {
  const draft = `${place}-${token}`
  const file = fileOf(token, 0)
  try {
    await folder.make(draft, file)
  } catch {
    return undefined
  }
  try {
    // Not every system moves a folder over an empty one.
    if (isLeftEmpty) await quietly(folder.removeFolder(place))
    await folder.rename(draft, place)
    return true
  } catch {
    await takeOut(folder, draft, [file])
    return false
  }
}

function holding(folder: TurnFolder, token: string): () => Promise<void> {
  let renewals = 0
  let renewing: Promise<unknown> = Promise.resolve()
  let timer: ReturnType<typeof setTimeout>
  const renew = () => {
    const [from, to] = [fileOf(token, renewals), fileOf(token, renewals + 1)]
    renewing = folder.rename(`${place}/${from}`, `${place}/${to}`).then(
      () => {
        renewals++
        timer = setTimeout(renew, renewMs)
      },
      () => undefined,
    )
  }
  timer = setTimeout(renew, renewMs)
  return async () => {
    clearTimeout(timer)
    await renewing
    clearTimeout(timer)
    await takeOut(folder, place, [fileOf(token, renewals)])
  }
}

const fileOf = (token: string, renewals: number): string => `${token}-${renewals}`

/** A dead holder's turn, and what others have left who died while they tried. Whoever lives tries again. */
async function clearAway(folder: TurnFolder, files: readonly string[]): Promise<void> {
  await takeOut(folder, place, files)
  for (const name of (await folder.names('')) ?? []) {
    if (!name.startsWith(`${place}-`)) continue
    // Out of reach first: emptied where it lies, it could still become somebody's turn.
    const swept = name.replace(place, sweptAway)
    await quietly(folder.rename(name, swept))
    await takeOut(folder, swept, (await folder.names(swept)) ?? [])
  }
}

const sweptAway = 'old-turn'

async function takeOut(folder: TurnFolder, path: string, files: readonly string[]): Promise<void> {
  for (const file of files) await quietly(folder.remove(`${path}/${file}`))
  await quietly(folder.removeFolder(path))
}

/** What is gone already, or is another's by now. */
const quietly = (work: Promise<void>): Promise<void> => work.catch(() => undefined)

const sleep = (ms: number): Promise<void> => new Promise((resume) => setTimeout(resume, ms))

function inUse(): Failure {
  return new Failure('timeout', 'Another program is writing to these notes. Nothing was written.', {
    hint: 'Try again in a moment.',
  })
}
