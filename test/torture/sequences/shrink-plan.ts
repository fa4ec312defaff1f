import type { Plan, PlannedFault, Step } from './plan.js'
import type { Texts } from './planned-set.js'
import { type Run, runPlan } from './run-plan.js'
import type { World } from './world.js'

/** Tries of a shorter plan; enough for what plans are made of. */
const mostTries = 300

/** Leaves out steps and faults of a plan that goes wrong, as long as it still does. */
export async function shrinkPlan(
  plan: Plan,
  run: Run,
  newWorld: (files: Texts) => World,
): Promise<{ plan: Plan; run: Run }> {
  let best = { plan, run }
  let tries = 0
  for (let isShorter = true; isShorter; ) {
    isShorter = false
    for (const shorter of shorterThan(best.plan)) {
      if (++tries > mostTries) return best
      const next = await runPlan(shorter, newWorld)
      if (kindOf(next) !== kindOf(run)) continue
      best = { plan: shorter, run: next }
      isShorter = true
      break
    }
  }
  return best
}

/** The kind of problem, without the names of notes and sets. */
function kindOf({ problems }: Run): string | undefined {
  return problems[0]?.replace(/\bs\d+\b|[\w./-]*\.md|[([].*/g, '').slice(0, 60)
}

function* shorterThan(plan: Plan): Generator<Plan> {
  const { steps } = plan
  for (const at of steps.keys()) yield { ...plan, steps: without(steps, at) }
  for (const [at, step] of steps.entries()) {
    for (const faults of 'faults' in step ? fewerFaults(step.faults) : []) {
      yield { ...plan, steps: steps.map((each, index) => (index === at ? ({ ...each, faults } as Step) : each)) }
    }
  }
}

function* fewerFaults(faults: PlannedFault[]): Generator<PlannedFault[]> {
  for (const at of faults.keys()) yield without(faults, at)
  for (const [at, { lasts }] of faults.entries()) {
    if (lasts !== 'once') yield faults.map((fault, index) => (index === at ? { ...fault, lasts: 'once' } : fault))
  }
}

function without<T>(values: readonly T[], at: number): T[] {
  return values.filter((_, index) => index !== at)
}
