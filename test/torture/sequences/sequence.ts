import { checkDisk, notesOf } from './check-disk.js'
import { Model } from './model.js'
import { actAsPerson } from './people.js'
import type { Plan, PlannedFault } from './plan.js'
import type { PlannedSet, Texts } from './planned-set.js'
import { playChanges } from './play-changes.js'
import { startNotes, trashSettings } from './start-vault.js'
import type { Task } from './tasks.js'
import type { Outcome, Process, Trouble, World } from './world.js'

/** The disk shows something else than it may. */
export class Wrong extends Error {
  constructor(readonly problems: string[]) {
    super(problems.join('\n'))
  }
}

/** A plan under way: the disk, what the model knows of it, and the process that has the vault open, if there is one. */
export class Sequence {
  readonly story: string[] = []
  readonly model = new Model(startNotes)
  readonly world: World
  faultsMet = 0
  #process: Process | undefined
  #marks = 0
  #days = 0

  constructor(
    readonly plan: Plan,
    newWorld: (files: Texts) => World,
  ) {
    this.world = newWorld(new Map([...startNotes, ['.obsidian/app.json', trashSettings(plan.trash)]]))
  }

  /** A name for what comes next: a change set's id, a word in a text. */
  nextMark(): string {
    return `s${++this.#marks}`
  }

  /** The process at work; one that starts without faults where there is none. */
  async process(): Promise<Process> {
    if (this.#process?.isAlive() !== true) await this.restart()
    return this.#process!
  }

  /** Another process opens the vault. If it meets no fault, everything must be well. */
  async restart(faults: PlannedFault[] = []): Promise<void> {
    const { process, faultsMet } = await this.world.start(this.#trouble(faults))
    this.#process = process
    this.faultsMet += faultsMet
    this.tell(`restart${inWords(faults)}${process === undefined ? ': did not get far' : ''}`)
    if (faultsMet > 0) return
    if (process === undefined) return this.must(['the vault cannot be opened'])
    const [claims, disk] = [await process.claims(), this.world.vault()]
    this.must(checkDisk(disk, claims, this.model))
    this.model.verify(notesOf(disk), claims)
  }

  cutPower(seed: number): void {
    this.#process = undefined
    this.model.see(this.world.vault())
    this.world.cutPower(seed)
    this.model.losePower()
    this.tell('power cut')
  }

  async perform(task: Task, what: string, faults: PlannedFault[] = []): Promise<Outcome> {
    const process = await this.process()
    const disk = this.world.vault()
    this.model.see(disk)
    let planned: PlannedSet | undefined
    const outcome = await process.perform(task, this.#trouble(faults), (set) => {
      const keepsNoTrash = this.plan.trash === 'none'
      const empty = { named: new Set<string>(), savedMeanwhile: new Set<string>() }
      planned = { id: set.id, ...playChanges(set, disk), outcome: 'killed', ...empty, keepsNoTrash }
      if (task.do === 'undo') planned.undoes = task.undoes
      if (task.do === 'settle') planned.settles = task.settles
      this.model.plan(planned)
      this.tell(`  ${set.id} is to change ${[...planned.touched.keys()].join(', ') || 'nothing'}`)
    })
    const { result, said, faultsMet = 0 } = outcome
    if (planned !== undefined && result !== 'nothing' && result !== 'refused') planned.outcome = result
    this.faultsMet += faultsMet
    const name = 'id' in task ? `${task.id}: ` : ''
    this.tell(`${name}${what}${inWords(faults)}: ${result}${said === undefined ? '' : `, "${said}"`}`)
    return outcome
  }

  moveClock(days: number): string {
    this.#days += days
    this.world.setClock(this.#days * 86_400_000)
    return `the clock jumps by ${days} days`
  }

  must(problems: string[]): void {
    if (problems.length > 0) throw new Wrong(problems)
  }

  tell(line: string): void {
    this.story.push(line)
  }

  #trouble(faults: PlannedFault[]): Trouble {
    const seed = this.plan.seed * 31 + this.story.length
    const { world, model } = this
    return {
      faults,
      seed,
      // A save into a file that is there, or a file where there is none: what programs do without asking anybody.
      onPerson: () => {
        const act = (seed >>> 2) % 3 === 0 ? 'create' : 'save'
        this.tell(`  meanwhile ${actAsPerson(act, seed, `m${this.story.length}`, world, model)}`)
      },
      onClock: () => this.tell(`  meanwhile ${this.moveClock([3650, -40, -3650][seed % 3])}`),
    }
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
