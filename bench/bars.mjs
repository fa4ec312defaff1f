/** Node 20 keeps no compiled code. */
const warmStartMs = Number.parseInt(process.versions.node, 10) >= 22 ? 300 : 400

/**
 * Bars that must hold, checked against the figures of the same run. A bar is either a fixed limit or a share of FTS5's
 * figure; `atLeast` reverses the comparison.
 */
const bars = [
  ...Object.entries({ cranfield: 0.39, 'xquad-en': 0.968, 'xquad-ru': 0.96, 'xquad-zh': 0.965 }).map(
    ([set, limit]) => ({
      text: `nDCG@10 on ${set}`,
      measure: 'ranking quality',
      column: set,
      limit,
      atLeast: true,
    }),
  ),
  ...['v10k', 'v100k'].flatMap((column) => [
    { text: `short queries p95, against FTS5, ${column}`, measure: 'short queries p95', column, timesFts5: 1 },
    { text: `8-word queries p95, against FTS5, ${column}`, measure: 'long queries p95', column, timesFts5: 0.3 },
    { text: `text and links ready, against FTS5's text alone, ${column}`, measure: 'cold index', column, timesFts5: 4 },
    { text: `backlinks p95 in ms, ${column}`, measure: 'backlinks p95', column, limit: 5 },
  ]),
  { text: 'vectors done at 10k, seconds', measure: 'cold index with vectors', column: 'v10k', limit: 20 },
  { text: 'vectors done at 100k, seconds', measure: 'cold index with vectors', column: 'v100k', limit: 150 },
  { text: 'peak memory at 100k, MB', measure: 'peak memory', column: 'v100k', limit: 500 },
  { text: 'warm start at 10k, ms', measure: 'warm start', column: 'v10k', limit: warmStartMs },
  { text: 'update with nothing changed at 10k, ms', measure: 'no-op update', column: 'v10k', limit: 500 },
  { text: 'rename of the hub note, seconds', measure: 'rename: seconds', column: 'v10k', limit: 5 },
  { text: 'rename: links missed', measure: 'rename: links missed', column: 'v10k', limit: 0 },
  {
    text: 'rename: files where another byte changed',
    measure: 'rename: files with other bytes changed',
    column: 'v10k',
    limit: 0,
  },
]

export function checkBars(record) {
  return bars.flatMap(({ text, measure, column, limit, timesFts5, atLeast }) => {
    const ours = record.value(measure, 'Notewright', column)
    const fts5 = record.value(measure, 'FTS5 porter', column)
    if (ours === undefined || (timesFts5 !== undefined && fts5 === undefined)) return []
    const value = timesFts5 === undefined ? ours : ours / fts5
    const bar = timesFts5 ?? limit
    return [
      {
        text,
        value,
        bar,
        unit: timesFts5 === undefined ? '' : '×',
        holds: atLeast ? value >= bar : value <= bar,
        atLeast,
      },
    ]
  })
}

export function renderBars(results) {
  if (results.length === 0) return ''
  const number = (value) => (Number.isInteger(value) ? String(value) : value.toPrecision(3))
  const lines = results.map(
    ({ text, value, bar, unit, holds, atLeast }) =>
      `| ${text} | ${number(value)}${unit} | ${atLeast ? '≥' : '≤'} ${bar}${unit} | ${holds ? 'yes' : '**no**'} |`,
  )
  return `### What must hold\n\n| | measured | bar | holds |\n| --- | --: | --: | --- |\n${lines.join('\n')}`
}
