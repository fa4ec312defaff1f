import { median } from './statistics.mjs'

/**
 * Everything measured in one run, and everything left out with the reason. A figure is known by its measure, engine
 * and column (a vault, a set, a size); its runs are kept apart so that the table can show their spread. Figures of an
 * earlier run give way to new ones.
 */
export function newRecord(earlier = { figures: [], skipped: [] }) {
  const figures = new Map(earlier.figures.map((figure) => [keyOf(figure), { ...figure, isEarlier: true }]))
  const skipped = [...earlier.skipped]

  return {
    add(measure, engine, column, value) {
      const key = keyOf({ measure, engine, column })
      const known = figures.get(key)
      if (known === undefined || known.isEarlier) figures.set(key, { measure, engine, column, runs: [value] })
      else known.runs.push(value)
    },
    skip(measure, engine, column, reason) {
      const isKnown = skipped.some(
        (row) => row.measure === measure && row.engine === engine && row.column === column && row.reason === reason,
      )
      if (!isKnown) skipped.push({ measure, engine, column, reason })
    },
    /** The median of the runs, or undefined where nothing was measured. */
    value(measure, engine, column) {
      const figure = figures.get(keyOf({ measure, engine, column }))
      return figure && median(figure.runs)
    },
    figure: (measure, engine, column) => figures.get(keyOf({ measure, engine, column })),
    figures: () => [...figures.values()],
    skipped: () => skipped,
    stored: () => ({ figures: [...figures.values()].map(({ isEarlier, ...figure }) => figure), skipped }),
  }
}

function keyOf({ measure, engine, column }) {
  return JSON.stringify([measure, engine, column])
}
