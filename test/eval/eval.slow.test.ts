import { afterAll, beforeAll, describe, expect, it } from 'vitest'
import { howOften } from '../runner/how-often.js'
import { conditions, dialects, windows } from './conditions.js'
import { personas } from './model/personas.js'
import { type Bench, openBench, type ScriptedResult, serverFor } from './run-scripted.js'
import { isRaw } from './table.js'
import { tasks } from './tasks/index.js'

let bench: Bench
beforeAll(async () => {
  bench = await openBench()
})
afterAll(() => bench.stop())

const all = conditions()
const tasksEach = howOften(2, 10)

/** Some tasks of each condition, others in each, so that together they meet every task. `npm run eval` tries them all. */
async function sample(persona: string, window: number): Promise<ScriptedResult[]> {
  const results: ScriptedResult[] = []
  for (const [at, condition] of all.entries()) {
    if (condition.persona.name !== persona || condition.window !== window) continue
    for (let turn = 0; turn < tasksEach; turn++) {
      const number = ((at * tasksEach + turn) * 7) % tasks.length
      results.push(await bench.run(tasks[number], condition, serverFor(number, at, condition)))
    }
  }
  return results
}

describe.each(personas)('a model that $about', ({ name }) => {
  it.each(windows)('does its tasks in every dialect with a window of %i tokens', async (window) => {
    const results = await sample(name, window)
    expect(results).toHaveLength(tasksEach * dialects.length)
    expect(results.filter(isRaw)).toEqual([])
    const failed = results.filter(({ failure }) => failure !== undefined)
    const share = window === 4096 ? 0.3 : 0.1
    expect(failed.length, JSON.stringify(failed, null, 1)).toBeLessThanOrEqual(share * results.length)
  })
})

it('there are at least forty tasks with unique names', () => {
  expect(tasks.length).toBeGreaterThanOrEqual(40)
  expect(new Set(tasks.map(({ name }) => name)).size).toBe(tasks.length)
})
