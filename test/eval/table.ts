import { dialects } from './conditions.js'
import type { ScriptedResult } from './run-scripted.js'

/** Success by persona and window, a column for each dialect, in hundredths. */
export function successTable(results: readonly ScriptedResult[]): string {
  const columns = dialects.filter((name) => results.some(({ dialect }) => dialect === name))
  const rows = unique(results.map(({ persona, window }) => `${persona} ${window}`)).map((row) => {
    const [persona, window] = row.split(' ')
    const own = results.filter((result) => result.persona === persona && `${result.window}` === window)
    const cells = columns.map((name) => percent(own.filter(({ dialect }) => dialect === name)))
    return [persona, window, ...cells, percent(own), `${own.filter(isRaw).length}`, meanTokens(own)]
  })
  const head = ['persona', 'window', ...columns, 'all', 'raw calls', 'tokens']
  return inColumns([head, ...rows])
}

/** Tokens that the model read, for each task. */
export function meanTokens(results: readonly ScriptedResult[]): string {
  const sum = results.reduce((total, { tokens }) => total + tokens, 0)
  return Math.round(sum / Math.max(1, results.length)).toLocaleString('en')
}

export function serverTable(results: readonly ScriptedResult[]): string {
  const windows = unique(results.map(({ window }) => `${window}`))
  const rows = unique(results.map(({ server }) => server)).map((name) => [
    name,
    ...windows.map((window) =>
      percent(results.filter(({ server, window: size }) => server === name && `${size}` === window)),
    ),
  ])
  return inColumns([['server', ...windows], ...rows])
}

/** Failures by task, each reason once with those whom it befell. */
export function failureList(results: readonly ScriptedResult[]): string {
  const failed = results.filter(({ failure }) => failure !== undefined)
  return unique(failed.map(({ task }) => task))
    .map((name) => {
      const own = failed.filter(({ task }) => task === name)
      const reasons = unique(own.map(({ failure = '' }) => failure)).map((reason) => {
        const whom = own.filter(({ failure }) => failure === reason).map(conditionName)
        const more = whom.length > mostNamed ? ` and ${whom.length - mostNamed} more` : ''
        return `  ${reason}\n    ${whom.slice(0, mostNamed).join(', ')}${more}`
      })
      return `${name}\n${reasons.join('\n')}`
    })
    .join('\n')
}

const mostNamed = 4

const conditionName = ({ persona, dialect, window, server }: ScriptedResult): string =>
  `${persona}/${dialect}/${window}/${server}`

export const isRaw = ({ failure }: ScriptedResult): boolean => failure?.startsWith('a raw call') ?? false

function percent(results: readonly ScriptedResult[]): string {
  if (results.length === 0) return '-'
  return `${Math.floor((100 * results.filter(({ failure }) => failure === undefined).length) / results.length)}`
}

const unique = <T>(items: readonly T[]): T[] => [...new Set(items)]

function inColumns(rows: readonly string[][]): string {
  const widths = rows[0].map((_, column) => Math.max(...rows.map((row) => row[column].length)))
  const line = (row: string[]) =>
    row.map((cell, column) => (column === 0 ? cell.padEnd(widths[0]) : cell.padStart(widths[column]))).join('  ')
  return rows.map(line).join('\n')
}
