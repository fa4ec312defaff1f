import type { Row } from '../torture.js'
import { makePlan } from './plan.js'
import type { Texts } from './planned-set.js'
import { type Run, runPlan } from './run-plan.js'
import { shrinkPlan } from './shrink-plan.js'
import type { World } from './world.js'

export interface Failing {
  seed: number
  run: Run
}

export interface Tried {
  sequences: number
  faultsMet: number
  failing: Failing[]
}

/** Plays the plans of several seeds, one after the other. */
export async function trySequences(
  firstSeed: number,
  count: number,
  newWorld?: (files: Texts) => World,
): Promise<Tried> {
  const tried: Tried = { sequences: 0, faultsMet: 0, failing: [] }
  for (let seed = firstSeed; seed < firstSeed + count; seed++) {
    const run = await runPlan(makePlan(seed), newWorld)
    tried.sequences++
    tried.faultsMet += run.faultsMet
    if (run.problems.length > 0) tried.failing.push({ seed, run })
  }
  return tried
}

/** Plays one seed and prints each step; a failing plan is shortened as far as possible. */
export async function replaySeed(
  seed: number,
  newWorld: (files: Texts) => World,
  say: (line: string) => void,
): Promise<Row> {
  const plan = makePlan(seed)
  const run = await runPlan(plan, newWorld)
  for (const line of storyOf({ seed, run })) say(line)
  if (run.problems.length > 0) {
    const shorter = await shrinkPlan(plan, run, newWorld)
    say('\nthe shortest that still goes wrong:')
    for (const line of storyOf({ seed, run: shorter.run })) say(line)
  }
  return asRow('the sequence of one seed', {
    sequences: 1,
    faultsMet: run.faultsMet,
    failing: run.problems.length > 0 ? [{ seed, run }] : [],
  })
}

/** The steps and problems of a run as readable lines. */
export function storyOf({ seed, run }: Failing): string[] {
  const { story, problems } = run
  return [`seed ${seed}`, ...story.map((line) => `  ${line}`), ...problems.map((line) => `  WRONG: ${line}`)]
}

export function asRow(name: string, { sequences, faultsMet, failing }: Tried): Row {
  const seeds = failing.map(({ seed }) => seed).slice(0, 20)
  const notes = { 'faults met': faultsMet, ...(seeds.length > 0 && { 'seeds that fail': seeds.join(' ') }) }
  return { name, trials: sequences, losses: failing.length, notes }
}
