import { damageJournal } from './damage-journal.js'
import { actAsPerson } from './people.js'
import type { Step } from './plan.js'
import type { Sequence } from './sequence.js'
import { settleNote, undecidedNotes } from './settle-notes.js'

export async function takeStep(step: Step, sequence: Sequence): Promise<void> {
  const { world, model } = sequence
  const mark = sequence.nextMark()
  switch (step.do) {
    case 'change': {
      const { change, pick, faults } = step
      await sequence.perform({ do: 'change', id: mark, change, pick }, change, faults)
      return
    }
    case 'undo': {
      if (model.sets.length === 0) return
      const undoes = model.sets[step.pick % model.sets.length].id
      await sequence.perform({ do: 'undo', id: mark, undoes }, `undo of ${undoes}`, step.faults)
      return
    }
    case 'settle': {
      const notes = await undecidedNotes(sequence)
      if (notes.length > 0) await settleNote(notes[step.pick % notes.length], step.pick, sequence, step.faults)
      return
    }
    case 'index': {
      const { commitsUntilKilled, faults } = step
      const more = commitsUntilKilled === undefined ? '' : `, killed at commit ${commitsUntilKilled + 1}`
      await sequence.perform({ do: 'index', commitsUntilKilled }, `index${more}`, faults)
      return
    }
    case 'restart':
      return sequence.restart(step.faults)
    case 'power cut':
      return sequence.cutPower(step.pick)
    case 'person':
      return sequence.tell(actAsPerson(step.act, step.pick, mark, world, model))
    case 'clock':
      return sequence.tell(sequence.moveClock(step.days))
    case 'damage':
      return sequence.tell(damageJournal(step.what, step.pick, world, model))
  }
}
