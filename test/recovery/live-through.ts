import type { HistoryEntry } from '../../src/core/vault/index.js'
import { type DiskVault, folderVault } from '../../src/hosts/node/folder-vault/folder-vault.js'
import { decode, encode, texts } from '../contracts/vault/index.js'
import { type Fault, faultyFiles } from '../doubles/faulty-files.js'
import { type MemoryFiles, memoryFiles } from '../doubles/memory-files.js'
import { before, made } from './changes.js'
import type { Interruption, PersonalAct } from './interruptions.js'

/** The final state, and the user's edits while the change was open. */
export interface Survived {
  disk: MemoryFiles
  id: string
  outcome: 'ok' | Error
  /** Paths the user touched, with the bytes they left there; undefined: they took the file away. */
  theirs: Map<string, string | undefined>
  /** Every text they wrote, also where they took it away later. */
  written: string[]
  /** Those of them that they touched while the journal had no end of the change, and those they touched later. */
  touchedWhileOpen: Set<string>
  touchedLater: Set<string>
  hasGoneBack: boolean
  /** Whether any of the change was on the disk when the process that applied it had ended. */
  hasBegun: boolean
}

/** Plays an interruption up to where everything works again; nothing has been opened since. */
export async function liveThrough({ change, fault, losesPower, starts }: Interruption): Promise<Survived> {
  const disk = memoryFiles()
  disk.put('/state/keep', encode(''))
  for (const [path, text] of Object.entries(before)) disk.put(`/vault/${path}`, encode(text))
  const keeps = flipping()
  const endProcess = () => losesPower && disk.losePower(keeps)

  const changes = made[change].changes()
  const files = faultyFiles(disk)
  const vault = await open(disk, files)
  files.fail(fault)
  const outcome = await vault.apply(changes).then(
    () => 'ok' as const,
    (error: Error) => error,
  )
  // Whether the order was given to go back is known before a user comes.
  endProcess()
  const survived: Survived = {
    disk,
    id: changes.id,
    outcome,
    theirs: new Map(),
    written: [],
    touchedWhileOpen: new Set(),
    touchedLater: new Set(),
    hasGoneBack: logOf(disk).includes('rolling-back'),
    hasBegun: touchedPaths(change).some(([path, old]) => notesOn(disk)[path] !== old),
  }
  for (const { act, fault } of starts) {
    if (act !== undefined) actOn(survived, change, act)
    await startAndFail(disk, fault)
    endProcess()
  }
  return survived
}

export function open(disk: MemoryFiles, files = faultyFiles(disk)): Promise<DiskVault> {
  return folderVault({ root: '/vault', stateDir: '/state/v', files, lock: { isAlive: () => false } })
}

export function notesOn(disk: MemoryFiles): Record<string, string> {
  return texts(disk.tree('/vault'))
}

export function ofChange(history: HistoryEntry[], id: string): HistoryEntry | undefined {
  return history.find((entry) => entry.id === id)
}

/** Every path that a change touches, with what it holds before and after; undefined: no file. */
export function touchedPaths(change: string): [path: string, old: string | undefined, made: string | undefined][] {
  return Object.entries(made[change].after).map(([path, text]) => [path, before[path], text])
}

async function startAndFail(disk: MemoryFiles, fault: Fault | undefined): Promise<void> {
  const files = faultyFiles(disk)
  files.fail(fault)
  try {
    const vault = await open(disk, files)
    files.fail(undefined)
    // Whatever went wrong, notes can be read.
    const other = await vault.read('other.md' as never).catch(() => undefined)
    if (fault?.how !== 'crash' && fault?.next?.how !== 'crash' && other === undefined) {
      throw new Error('a note could not be read')
    }
  } catch (error) {
    if (fault === undefined || (error as Error).message === 'a note could not be read') throw error
  }
}

function actOn(survived: Survived, change: string, { note, how }: PersonalAct): void {
  const { disk, theirs, written, touchedWhileOpen, touchedLater } = survived
  const paths = touchedPaths(change)
    .map(([path]) => path)
    .filter((path) => !path.startsWith('.'))
  const path = paths[note % paths.length]
  const place = `/vault/${path}`
  const now = disk.tree('/vault').get(path)
  if (now === undefined && how !== 'save-anew') return
  const text = `${decode(now ?? new Uint8Array())}by a person ${theirs.size}\n`
  if (how === 'edit' || how === 'save-anew') written.push(text)
  if (how === 'edit') disk.overwrite(place, encode(text))
  if (how === 'save-anew') disk.put(place, encode(text))
  if (how === 'delete' || how === 'rename') disk.erase(place)
  if (how === 'rename') {
    disk.put(`/vault/kept by a person ${theirs.size}.md`, now!)
    theirs.set(`kept by a person ${theirs.size}.md`, decode(now!))
  }
  theirs.set(path, how === 'edit' || how === 'save-anew' ? text : undefined)
  if (isOpen(disk)) touchedWhileOpen.add(path)
  else touchedLater.add(path)
}

/** Judged by the rows alone: the last complete one does not end the entry. */
function isOpen(disk: MemoryFiles): boolean {
  const rows = logOf(disk)
    .split('\n')
    .slice(0, -1)
    .map((line) => JSON.parse(line.slice(17)).row)
  return rows.at(-1) === 'intent' || rows.at(-1) === 'rolling-back'
}

function logOf(disk: MemoryFiles): string {
  return decode(disk.tree('/state/v/journal').get('log.jsonl') ?? new Uint8Array())
}

/** Loses some of what was not synced, the same on every run. */
function flipping(): () => boolean {
  let state = 1
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state % 3 === 0
  }
}
