import { Failure } from '../../../src/core/errors.js'
import type { IndexStore } from '../../../src/core/index/index.js'
import { openNotebook } from '../../../src/core/index/index.js'
import { faultyCalls } from '../../doubles/faulty-files.js'
import type { TorturedVault } from './claims.js'
import { readClaims } from './claims.js'
import { compareIndex } from './compare-index.js'
import { dyingStore } from './dying-store.js'
import { finiteFiles } from './finite-files.js'
import { planTask } from './tasks.js'
import type { KindsOfCalls } from './troubles.js'
import { asFault } from './troubles.js'
import type { Outcome, Process, Start, Trouble } from './world.js'

export interface ProcessSetup<Calls extends object> {
  /** The calls that may fail. */
  calls: Calls
  kinds: KindsOfCalls
  /** False if nothing can write between a check and its change. */
  letsPeopleIn?: boolean
  tearsWrites?: boolean
  open(calls: Calls): Promise<TorturedVault>
  /** Lets the vault notice what people have done to its files. */
  look?(): Promise<void>
  store: IndexStore
  /** How this process dies: really, or by a disk that answers nothing any more. */
  kill: 'crash' | (() => void)
}

/** A process that opens a vault whose calls fail, and works in it. */
export async function localProcess<Calls extends object>(setup: ProcessSetup<Calls>, opening: Trouble): Promise<Start> {
  const { kill, kinds, tearsWrites, look } = setup
  const finite = finiteFiles(setup.calls)
  const files = faultyCalls(finite.files, { tearsWrites })
  const store = dyingStore(setup.store, () => files.isCrashed)
  const faultOf = (trouble: Trouble) => {
    const onPerson = setup.letsPeopleIn === false ? () => undefined : trouble.onPerson
    return asFault({ ...trouble, onPerson }, kill, kinds)
  }
  const isDead = () => files.isCrashed || store.isDead

  async function open() {
    const vault = await setup.open(files)
    return { vault, notebook: await openNotebook({ vault, store }) }
  }

  async function perform(...[task, trouble, onPlanned]: Parameters<Process['perform']>): Promise<Outcome> {
    if (task.do === 'index') {
      store.dieAfter(task.commitsUntilKilled)
      files.fail(faultOf(trouble))
      await notebook.update()
      return { result: 'applied' }
    }
    await notebook.update({ wait: 'text' })
    const set = await planTask(task, notebook).catch(refusal)
    if (set instanceof Failure) return { result: 'refused', said: set.message }
    if (set === undefined) return { result: 'nothing' }
    onPlanned(set)
    files.fail(faultOf(trouble))
    await notebook.apply(set)
    return { result: 'applied' }
  }

  files.fail(faultOf(opening))
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
      await look?.()
      const outcome = await perform(task, trouble, onPlanned).catch(failed)
      finite.mustHaveEnded()
      files.fail(undefined)
      store.dieAfter(undefined)
      // A process that died after its work cannot report it.
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
