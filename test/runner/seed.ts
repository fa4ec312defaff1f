import fc from 'fast-check'

/**
 * The seed of everything random in the tests. It is the same in every run, so that a failure comes from a change;
 * `NOTEWRIGHT_SEED=random`, or a number, tries other inputs, as `npm run torture` always does.
 */
export const seedOf = (): number => {
  const wanted = process.env.NOTEWRIGHT_SEED ?? '20261117'
  return wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted)
}

fc.configureGlobal({ seed: seedOf() })
