import { checkDisk } from './check-disk.js'
import { damageJournal } from './damage-journal.js'
import { memoryWorld } from './memory-world.js'
import { Model, type PlannedSet, type Texts } from './model.js'
import { actAsPerson, saveMeanwhile } from './people.js'
import type { Plan, PlannedFault, Step } from './plan.js'
import { playChanges } from './play-changes.js'
import { startNotes, trashSettings } from './start-vault.js'
import type { Task } from './tasks.js'
import type { Outcome, Process, Trouble, World } from './world.js'

export interface Run {
  /** What is wrong; empty when nothing is. */
  problems: string[]
  /** What was done and what was said, line by line. */
  story: string[]
  faultsMet: number
}

/** Plays a plan on a disk, and at every start without faults compares what is there with what may be there. */
export async function runPlan(plan: Plan, newWorld: (files: Texts) => World = memoryWorld): Promise<Run> {
  const sequence = new Sequence(plan, newWorld)
  try {
    for (const step of plan.steps) await sequence.take(step)
    await sequence.conclude()
    return { ...sequence.run, problems: [] }
  } catch (error) {
    const problems =
      error instanceof Wrong ? error.problems : [`it broke: ${error instanceof Error ? error.stack : error}`]
    return { ...sequence.run, problems }
  } finally {
    sequence.close()
  }
}

class Wrong extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'))
  }
}

class Sequence {
  readonly run: Run = { problems: [], story: [], faultsMet: 0 }
  readonly #model = new Model(startNotes)
  readonly #world: World
  #process: Process | undefined
  #steps = 0
  #days = 0

  constructor(
    private readonly plan: Plan,
    newWorld: (files: Texts) => World,
  ) {
    this.#world = newWorld(new Map([...startNotes, ['.obsidian/app.json', trashSettings(plan.trash)]]))
  }

  close(): void {
    this.#world.close()
  }

  async take(step: Step): Promise<void> {
    this.#steps++
    const mark = `s${this.#steps}`
    switch (step.do) {
      case 'change':
        return this.#perform({ do: 'change', id: mark, change: step.change, pick: step.pick }, step.change, step.faults)
      case 'undo': {
        const { sets } = this.#model
        if (sets.length === 0) return
        const undoes = sets[step.pick % sets.length].id
        return this.#perform({ do: 'undo', id: mark, undoes }, `undo of ${undoes}`, step.faults)
      }
      case 'index': {
        const { commitsUntilKilled } = step
        const more = commitsUntilKilled === undefined ? '' : `, killed at commit ${commitsUntilKilled + 1}`
        return this.#perform({ do: 'index', commitsUntilKilled }, `index${more}`, step.faults)
      }
      case 'restart':
        return this.#restart(step.faults)
      case 'power cut':
        this.#process = undefined
        this.#world.cutPower(step.pick)
        return this.#tell('power cut')
      case 'person':
        return this.#tell(actAsPerson(step.act, step.pick, mark, this.#world, this.#model))
      case 'clock':
        return this.#tell(this.#moveClock(step.days))
      case 'damage':
        return this.#tell(damageJournal(step.what, step.pick, this.#world, this.#model))
    }
  }

  /** Everything is well again: what is there must be what is said, and what can be taken back must come back. */
  async conclude(): Promise<void> {
    await this.#restart()
    this.#must(await this.#process!.compareIndex())
    await this.#undoAll()
    await this.#restart()
    this.#must(await this.#process!.compareIndex())
  }

  async #restart(faults: PlannedFault[] = []): Promise<void> {
    const { process, faultsMet } = await this.#world.start(this.#trouble(faults))
    this.#process = process
    this.run.faultsMet += faultsMet
    this.#tell(`restart${inWords(faults)}${process === undefined ? ': did not get far' : ''}`)
    if (faultsMet === 0) await this.#check()
  }

  async #perform(task: Task, what: string, faults: PlannedFault[]): Promise<void> {
    if (this.#process?.isAlive() !== true) await this.#restart()
    const outcome = await this.#performNow(task, faults)
    this.run.faultsMet += outcome.faultsMet ?? 0
    this.#tell(
      `${'id' in task ? `${task.id}: ` : ''}${what}${inWords(faults)}: ${outcome.result}${outcome.said ? `, "${outcome.said}"` : ''}`,
    )
  }

  async #performNow(task: Task, faults: PlannedFault[]): Promise<Outcome> {
    const disk = this.#world.vault()
    let planned: PlannedSet | undefined
    const outcome = await this.#process!.perform(task, this.#trouble(faults), (set) => {
      planned = {
        id: set.id,
        ...playChanges(set, disk),
        outcome: 'killed',
        ...(task.do === 'undo' && { undoes: task.undoes }),
      }
      this.#model.plan(planned)
      this.#tell(`  ${set.id} is to change ${[...planned.touched.keys()].join(', ')}`)
    })
    if (planned !== undefined && outcome.result !== 'nothing' && outcome.result !== 'refused')
      planned.outcome = outcome.result
    return outcome
  }

  async #undoAll(): Promise<void> {
    const { sets } = this.#model
    const claims = await this.#process!.claims()
    for (const set of [...sets].reverse()) {
      if (set.undoes !== undefined || claims.sets.get(set.id)?.state !== 'applied') continue
      if (sets.some(({ undoes, outcome }) => undoes === set.id && outcome === 'applied')) continue
      const before = this.#world.vault()
      const isWhole = [...set.touched].every(([path, held]) => (before.get(path) ?? null) === held.new)
      this.#steps++
      const outcome = await this.#performNow({ do: 'undo', id: `s${this.#steps}`, undoes: set.id }, [])
      this.#tell(`undo of ${set.id}: ${outcome.result}${outcome.said ? `, "${outcome.said}"` : ''}`)
      if (!isWhole || set.hasDamagedImages) continue
      const wasUndone = sets.some(
        (other) => other.undoes === set.id && other !== sets.at(-1) && other.outcome !== 'unchanged',
      )
      if (wasUndone) continue
      if (outcome.result !== 'applied')
        this.#must([`${set.id} is as it left the notes, and cannot be undone: ${outcome.said}`])
      const after = this.#world.vault()
      for (const [path, { old }] of set.touched) {
        if ((after.get(path) ?? null) !== old) this.#must([`undoing ${set.id} did not bring back ${path}`])
      }
    }
  }

  async #check(): Promise<void> {
    if (this.#process === undefined) return this.#must(['the vault cannot be opened'])
    const claims = await this.#process.claims()
    this.#must(checkDisk(this.#world.vault(), claims, this.#model, this.plan.trash))
    this.#model.verify(claims)
  }

  #trouble(faults: PlannedFault[]): Trouble {
    const seed = this.plan.seed + this.#steps
    return {
      faults,
      seed,
      onPerson: () =>
        this.#tell(`  meanwhile ${saveMeanwhile(seed * 7919, `m${this.#steps}`, this.#world, this.#model)}`),
      onClock: () => this.#tell(`  meanwhile ${this.#moveClock([3650, -40, -3650][seed % 3])}`),
    }
  }

  #moveClock(days: number): string {
    this.#days += days
    this.#world.setClock(this.#days * 86_400_000)
    return `the clock jumps by ${days} days`
  }

  #must(problems: string[]): void {
    if (problems.length > 0) throw new Wrong(problems)
  }

  #tell(line: string): void {
    this.run.story.push(line)
  }
}

function inWords(faults: PlannedFault[]): string {
  if (faults.length === 0) return ''
  const each = faults.map(({ at, calls, how, lasts }) => {
    const which = calls === 'any' ? `call ${at}` : `${calls} ${at}`
    return lasts === 'once' ? `${how} at ${which}` : `${how} from ${which} ${lasts}`
  })
  return ` (${each.join(', then ')})`
}
