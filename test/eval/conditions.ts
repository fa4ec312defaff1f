import { type Persona, personas } from './model/personas.js'

/**
 * How a model is spoken to. `native`, `sentinel` and `use-tool` are as the user says; `auto` finds out by asking, and
 * `refused` does so on a server that takes no tools for this model.
 */
export const dialects = ['native', 'sentinel', 'use-tool', 'auto', 'refused'] as const
export type TriedDialect = (typeof dialects)[number]

export const windows = [32_768, 8192, 4096] as const

export interface Condition {
  persona: Persona
  dialect: TriedDialect
  window: number
}

export interface Wish {
  personas?: readonly string[]
  dialects?: readonly string[]
  windows?: readonly number[]
}

export function conditions(wish: Wish = {}): Condition[] {
  const chosen = personas.filter(({ name }) => wish.personas?.includes(name) ?? true)
  const spoken = dialects.filter((name) => wish.dialects?.includes(name) ?? true)
  const sizes = windows.filter((size) => wish.windows?.includes(size) ?? true)
  return chosen.flatMap((persona) =>
    sizes.flatMap((window) => spoken.map((dialect): Condition => ({ persona, dialect, window }))),
  )
}
