const separator = /^\s*\|?\s*:?-+:?\s*(?:\|\s*:?-+:?\s*)*\|?\s*$/

/** For each line that is a row of a table the line of its headers, -1 where none is known; headers and rules are `rule`. */
export type RowKind = { header: number } | 'rule'

/** Finds tables among lines in which only the pipes between cells are left. */
export function tableRows(lines: readonly string[]): Map<number, RowKind> {
  const rows = new Map<number, RowKind>()
  let header: number | undefined
  for (const [at, line] of lines.entries()) {
    const isTable = line.includes('|')
    if (isTable && separator.test(line) && at > 0 && lines[at - 1].includes('|')) {
      rows.set(at - 1, 'rule')
      rows.set(at, 'rule')
      header = at - 1
    } else if (!isTable) header = undefined
    else if (header !== undefined) rows.set(at, { header })
    else if (/^\s*\|.*\|\s*$/.test(line)) rows.set(at, separator.test(line) ? 'rule' : { header: -1 })
  }
  return rows
}

/** Where the cells of a row begin and end. */
export function cellSpans(line: string): { start: number; end: number }[] {
  const spans: { start: number; end: number }[] = []
  let start = /^\s*\|/.exec(line)?.[0].length ?? 0
  for (let at = start; at < line.length; at++) {
    if (line[at] !== '|' || line[at - 1] === '\\') continue
    spans.push({ start, end: at })
    start = at + 1
  }
  if (line.slice(start).trim() !== '') spans.push({ start, end: line.length })
  return spans
}

/** A row as it would be read out: "Day: 5 May; Loaves: 42". */
export function rowSentence(cells: readonly string[], headers: readonly string[]): string {
  const told = cells.flatMap((cell, at) => {
    const header = (headers[at] ?? '').replace(/:$/, '')
    return cell === '' ? [] : [header === '' ? cell : `${header}: ${cell}`]
  })
  return told.join('; ')
}
