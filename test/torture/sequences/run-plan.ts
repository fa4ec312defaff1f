import { concludeSequence } from './conclude-sequence.js'
import { memoryWorld } from './memory-world.js'
import type { Plan } from './plan.js'
import type { Texts } from './planned-set.js'
import { Sequence, Wrong } from './sequence.js'
import { takeStep } from './take-step.js'
import type { World } from './world.js'

export interface Run {
  /** Problems; empty if there are none. */
  problems: string[]
  /** Steps and reports, one per line. */
  story: string[]
  faultsMet: number
}

/** Plays a plan on a disk, and at every start without faults compares what is there with what may be there. */
export async function runPlan(plan: Plan, newWorld: (files: Texts) => World = memoryWorld): Promise<Run> {
  const sequence = new Sequence(plan, newWorld)
  const { story } = sequence
  try {
    for (const step of plan.steps) await takeStep(step, sequence)
    await concludeSequence(sequence)
    return { problems: [], story, faultsMet: sequence.faultsMet }
  } catch (error) {
    const broken = error instanceof Error ? error.stack : error
    const problems = error instanceof Wrong ? error.problems : [`it broke: ${broken}`]
    return { problems, story, faultsMet: sequence.faultsMet }
  } finally {
    sequence.world.close()
  }
}
