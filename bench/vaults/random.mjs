/** Repeatable random numbers: the same seed gives the same vault on every machine. */
export function seededRandom(seed) {
  let state = seed >>> 0

  function uniform() {
    state = (state + 0x6d2b79f5) >>> 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296
  }

  return {
    uniform,
    chance: (probability) => uniform() < probability,
    /** From 0 to `end`, without `end`. */
    below: (end) => Math.floor(uniform() * end),
    between: (first, last) => first + Math.floor(uniform() * (last - first + 1)),
    pick: (list) => list[Math.floor(uniform() * list.length)],
    exponential: (mean) => -mean * Math.log(1 - uniform()),
    normal: () => Math.sqrt(-2 * Math.log(1 - uniform())) * Math.cos(2 * Math.PI * uniform()),
    shuffle(list) {
      for (let last = list.length - 1; last > 0; last--) {
        const other = Math.floor(uniform() * (last + 1))
        ;[list[last], list[other]] = [list[other], list[last]]
      }
      return list
    },
  }
}
