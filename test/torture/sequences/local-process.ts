import { Failure } from '../../../src/core/errors.js'
import { openNotebook } from '../../../src/core/notebook/index.js'
import type { IndexStore } from '../../../src/core/vault-index/index.js'
import { type FileAccess, faultyFiles } from '../../../src/hosts/node/files/index.js'
import { folderVault } from '../../../src/hosts/node/folder-vault/index.js'
import { readClaims } from './claims.js'
import { compareIndex } from './compare-index.js'
import { dyingStore } from './dying-store.js'
import { finiteFiles } from './finite-files.js'
import { planTask } from './tasks.js'
import { asFault } from './troubles.js'
import type { Outcome, Process, Start, Trouble } from './world.js'

export interface ProcessSetup {
  files: FileAccess
  root: string
  stateDir: string
  store: IndexStore
  /** How this process dies: really, or by a disk that answers nothing any more. */
  kill: 'crash' | (() => void)
  isAlive?: () => boolean
}

/** A process that opens the vault on a disk with faults, and works in it. */
export async function localProcess(setup: ProcessSetup, opening: Trouble): Promise<Start> {
  const { root, stateDir, kill, isAlive } = setup
  const finite = finiteFiles(setup.files)
  const files = faultyFiles(finite.files)
  const store = dyingStore(setup.store, () => files.isCrashed)
  const isDead = () => files.isCrashed || store.isDead

  async function open() {
    const lock = isAlive && { isAlive }
    const vault = await folderVault({ root, stateDir, files, lock })
    return { vault, notebook: await openNotebook({ vault, store }) }
  }

  async function perform(...[task, trouble, onPlanned]: Parameters<Process['perform']>): Promise<Outcome> {
    if (task.do === 'index') {
      store.dieAfter(task.commitsUntilKilled)
      files.fail(asFault(trouble, kill))
      await notebook.update()
      return { result: 'applied' }
    }
    await notebook.refresh()
    const set = await planTask(task, notebook).catch(refusal)
    if (set instanceof Failure) return { result: 'refused', said: set.message }
    if (set === undefined) return { result: 'nothing' }
    onPlanned(set)
    files.fail(asFault(trouble, kill))
    await notebook.apply(set)
    return { result: 'applied' }
  }

  files.fail(asFault(opening, kill))
  const opened = await open().catch((error: unknown) => {
    if (opening.faults.length === 0) throw error
    return undefined
  })
  files.fail(undefined)
  finite.mustHaveEnded()
  const faultsMet = files.met
  if (opened === undefined || isDead()) return { faultsMet }
  const { vault, notebook } = opened

  const process: Process = {
    isAlive: () => !isDead(),
    async perform(task, trouble, onPlanned) {
      finite.begin()
      const outcome = await perform(task, trouble, onPlanned).catch(failed)
      finite.mustHaveEnded()
      files.fail(undefined)
      store.dieAfter(undefined)
      // Who dies after the work was done has nobody to tell.
      return { ...outcome, ...(isDead() && { result: 'killed' as const }), faultsMet: files.met }
    },
    claims: () => readClaims(vault),
    skipped: async () => (await notebook.status()).skipped.map(({ path }) => path),
    compareIndex: (pick) => compareIndex(notebook, pick),
  }
  return { process, faultsMet }
}

function refusal(error: unknown): Failure {
  if (error instanceof Failure) return error
  throw error
}

function failed(error: unknown): Outcome {
  const said = error instanceof Error ? error.message : String(error)
  const isUnchanged = error instanceof Failure && saysUnchanged.test(said)
  return { result: isUnchanged ? 'unchanged' : 'unfinished', said }
}

/** A note that a change needs and that is not there is noticed before anything is written. */
const saysUnchanged = /Nothing (?:else )?was (?:changed|written)|^Note not found: /
