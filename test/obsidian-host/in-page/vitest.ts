import { ASYMMETRIC_MATCHERS_OBJECT, chai, JestAsymmetricMatchers, JestChaiExpect, JestExtend } from '@vitest/expect'

/** As much of vitest as the contracts use, for a page: it takes the place of `vitest` where they are bundled. */

type Body = () => unknown

interface Registered {
  name: string
  body: Body
  around: { before: Body[]; after: Body[] }
}

export interface PageResult {
  name: string
  error?: string
}

const registered: Registered[] = []
let names: string[] = []
let around: Registered['around'] = { before: [], after: [] }

for (const plugin of [JestExtend, JestChaiExpect, JestAsymmetricMatchers]) chai.use(plugin)
const asymmetric = (globalThis as Record<PropertyKey, unknown>)[ASYMMETRIC_MATCHERS_OBJECT] as object
export const expect = Object.assign(
  (value: unknown, message?: string) => chai.expect(value, message),
  chai.expect,
  asymmetric,
  {
    unreachable: (): never => {
      throw new Error('This should not have been reached.')
    },
  },
)

export function describe(name: string, body: () => void): void {
  const before = { names, around }
  names = [...names, name]
  around = { before: [...around.before], after: [...around.after] }
  body()
  ;({ names, around } = before)
}

export function it(name: string, body: Body): void {
  registered.push({ name: [...names, name].join(' > '), body, around })
}
it.each =
  (cases: readonly unknown[]) =>
  (name: string, body: (...values: never[]) => unknown): void => {
    for (const one of cases) {
      const values = Array.isArray(one) ? one : [one]
      it(name.replace(/%s/, String(values[0])), () => body(...(values as never[])))
    }
  }

export const beforeEach = (body: Body): void => void around.before.push(body)
export const afterEach = (body: Body): void => void around.after.push(body)

/** Runs all of them, one after the other. */
export async function runRegistered(): Promise<PageResult[]> {
  const results: PageResult[] = []
  for (const {
    name,
    body,
    around: { before, after },
  } of registered) {
    try {
      for (const one of before) await one()
      await body()
      results.push({ name })
    } catch (error) {
      results.push({ name, error: (error as Error).stack ?? String(error) })
    } finally {
      for (const one of after) await one()
    }
  }
  return results
}
