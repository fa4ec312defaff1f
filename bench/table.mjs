import { median } from './statistics.mjs'

const columnsFirst = ['tasks-docs', 'blue-book', 'v1k', 'v10k', 'v100k']

/** Tables to print: the title, and the one or two measures of the record that each cell shows. */
const tables = [
  { title: 'Ranking quality, nDCG@10', measures: ['ranking quality'], digits: 4 },
  {
    title: 'Ranking quality, odd / even query ids',
    measures: ['ranking quality, odd ids', 'ranking quality, even ids'],
    digits: 4,
  },
  { title: 'Queries answered with nothing', measures: ['empty answers'], digits: 0 },
  {
    title: 'Cold index until text (ours: and links) can be searched, seconds, reading the files included',
    measures: ['cold index'],
    digits: 2,
  },
  { title: 'Cold index until semantic vectors are done, seconds', measures: ['cold index with vectors'], digits: 2 },
  { title: 'Warm start: new process to first answer, milliseconds', measures: ['warm start'], digits: 0 },
  { title: 'Update with nothing changed, milliseconds, process start included', measures: ['no-op update'], digits: 0 },
  {
    title: 'Query of 1–3 title words, milliseconds, p50 / p95',
    measures: ['short queries p50', 'short queries p95'],
    digits: 2,
  },
  {
    title: 'Query of 8 words from a note, milliseconds, p50 / p95',
    measures: ['long queries p50', 'long queries p95'],
    digits: 2,
  },
  { title: 'Backlinks of a note, milliseconds, p50 / p95', measures: ['backlinks p50', 'backlinks p95'], digits: 2 },
  { title: 'Peak memory of indexing (peers: and querying), MB', measures: ['peak memory'], digits: 0 },
  { title: 'Peak memory of querying an index on disk, MB', measures: ['peak memory of querying'], digits: 0 },
  { title: 'Index on disk, MB', measures: ['index size'], digits: 1 },
  { title: 'Rename of the most linked note, seconds', measures: ['rename: seconds'], digits: 2 },
  { title: 'Rename: links followed / missed', measures: ['rename: links followed', 'rename: links missed'], digits: 0 },
  {
    title: 'Rename: files changed / files where any other byte changed',
    measures: ['rename: files changed', 'rename: files with other bytes changed'],
    digits: 0,
  },
  {
    title: 'Review of a large change in Chromium while scrolling: frames a second / ms between two frames, p95',
    measures: ['review: frames a second', 'review: p95 between frames'],
    digits: 1,
  },
  {
    title: 'Exact vector search, 384 dimensions, milliseconds, p50 / p95',
    measures: ['cosine p50', 'cosine p95'],
    digits: 1,
  },
]

/** One Markdown table per measure, engines down, vaults or sets across. */
export function renderTables(record) {
  const figures = record.figures()
  return tables
    .map(({ title, measures, digits }) => {
      const rows = figures.filter((figure) => figure.measure === measures[0])
      if (rows.length === 0) return undefined
      const columns = ordered([...new Set(rows.map((row) => row.column))])
      const engines = [...new Set(rows.map((row) => row.engine))]
      const lines = engines.map((engine) => [
        engine,
        ...columns.map((column) =>
          cell(
            measures.map((measure) => record.figure(measure, engine, column)),
            digits,
          ),
        ),
      ])
      return `### ${title}\n\n${markdown([['', ...columns], ...lines])}`
    })
    .filter(Boolean)
    .join('\n\n')
}

export function renderSkipped(record) {
  const skipped = record.skipped()
  if (skipped.length === 0) return ''
  const lines = skipped.map(({ measure, engine, column, reason }) => `- ${engine}, ${column}, ${measure}: ${reason}`)
  return `### Left out\n\n${lines.join('\n')}`
}

/** The median; in brackets the lowest and highest run of the last measure where they differ. */
function cell(figures, digits) {
  if (figures.some((figure) => figure === undefined)) return '–'
  const medians = figures.map(({ runs }) => median(runs).toFixed(digits)).join(' / ')
  const { runs } = figures.at(-1)
  const [low, high] = [Math.min(...runs), Math.max(...runs)].map((value) => value.toFixed(digits))
  return low === high ? medians : `${medians} (${low}–${high})`
}

function markdown(rows) {
  const widths = rows[0].map((_, column) => Math.max(3, ...rows.map((row) => row[column].length)))
  const line = (row) =>
    `| ${row.map((text, column) => (column === 0 ? text.padEnd(widths[0]) : text.padStart(widths[column]))).join(' | ')} |`
  const rule = `| ${widths.map((width, column) => (column === 0 ? '-'.repeat(width) : `${'-'.repeat(width - 1)}:`)).join(' | ')} |`
  return [line(rows[0]), rule, ...rows.slice(1).map(line)].join('\n')
}

function ordered(columns) {
  const rank = (column) => (columnsFirst.indexOf(column) + columnsFirst.length + 1) % (columnsFirst.length + 1)
  return columns.sort((a, b) => rank(a) - rank(b))
}
