import { median } from './statistics.mjs'

/**
 * Everything measured in one run, and everything left out with the reason. A figure is known by its measure, engine
 * and column (a vault, a set, a size); its runs are kept apart so that the table can show their spread.
 */
export function newRecord() {
  const figures = new Map()
  const skipped = []

  return {
    add(measure, engine, column, value) {
      const key = JSON.stringify([measure, engine, column])
      if (!figures.has(key)) figures.set(key, { measure, engine, column, runs: [] })
      figures.get(key).runs.push(value)
    },
    skip(measure, engine, column, reason) {
      const isKnown = skipped.some(
        (row) => row.measure === measure && row.engine === engine && row.column === column && row.reason === reason,
      )
      if (!isKnown) skipped.push({ measure, engine, column, reason })
    },
    /** The median of the runs, or undefined where nothing was measured. */
    value(measure, engine, column) {
      const figure = figures.get(JSON.stringify([measure, engine, column]))
      return figure && median(figure.runs)
    },
    figure: (measure, engine, column) => figures.get(JSON.stringify([measure, engine, column])),
    figures: () => [...figures.values()],
    skipped: () => skipped,
  }
}
