import fc from 'fast-check'

/**
 * Where everything random in the tests begins. It is the same in every run, so that a change fails for its own sake;
 * `NOTEWRIGHT_SEED=random`, or a number, looks somewhere else, as `npm run torture` always does.
 */
export const seedOf = (): number => {
  const wanted = process.env.NOTEWRIGHT_SEED ?? '20261117'
  return wanted === 'random' ? Math.floor(Math.random() * 2 ** 31) : Number(wanted)
}

fc.configureGlobal({ seed: seedOf() })
