import { Failure } from '../../../../core/errors.js'
import { type TomlLine, tomlLines } from './toml-lines.js'

/** The text with our table in it. Every other byte stays, also keys that the person has added to the table. */
export function withTomlEntry(text: string, place: readonly string[], entry: Record<string, unknown>): string {
  const end = text.includes('\r\n') ? '\r\n' : '\n'
  const lines = tomlLines(text)
  const name = place.join('.')
  checkForm(lines, place)
  const own = tableOf(lines, name)
  const wanted = Object.entries(entry).map(([key, value]) => [key, `${key} = ${JSON.stringify(value)}`] as const)
  if (own === undefined) {
    const gap = text === '' ? '' : text.endsWith('\n') ? end : `${end}${end}`
    return `${text}${gap}[${name}]${end}${wanted.map(([, line]) => line + end).join('')}`
  }
  const inside = lines.slice(own.from + 1, own.to)
  const kept = inside.map((line) => {
    const same = wanted.find(([key]) => key === line.key)
    return same === undefined ? line.text : same[1] + (line.text.endsWith('\n') ? end : '')
  })
  const missing = wanted.filter(([key]) => !inside.some((line) => line.key === key)).map(([, line]) => line + end)
  const before = lines.slice(0, own.from + 1).map((line) => line.text)
  const after = lines.slice(own.to).map((line) => line.text)
  const header = before[before.length - 1]
  if (!header.endsWith('\n')) before[before.length - 1] = header + end
  return [...before, ...missing, ...kept, ...after].join('')
}

/** Takes out the table and those below it. */
export function withoutTomlEntry(text: string, place: readonly string[]): string {
  const lines = tomlLines(text)
  const name = place.join('.')
  const isOurs = (table: string) => table === name || table.startsWith(`${name}.`)
  checkForm(lines, place)
  let left = lines
  for (let own = ownTable(); own !== undefined; own = ownTable()) {
    // The empty line before it was made with it.
    const from =
      own.from > 0 && left[own.from - 1].text.trim() === '' && own.to === left.length ? own.from - 1 : own.from
    left = [...left.slice(0, from), ...left.slice(own.to)]
  }
  return left.map((line) => line.text).join('')

  function ownTable() {
    const table = left.find((line) => line.table !== undefined && isOurs(line.table))?.table
    return table === undefined ? undefined : tableOf(left, table)
  }
}

/** From its head to the last line that is its own: comments before the next table belong to that. */
function tableOf(lines: readonly TomlLine[], name: string): { from: number; to: number } | undefined {
  const from = lines.findIndex(({ table }) => table === name)
  if (from < 0) return undefined
  let to = lines.findIndex(({ table, isArray }, at) => at > from && (table !== undefined || isArray))
  if (to < 0) to = lines.length
  while (to > from + 1 && to < lines.length && lines[to - 1].isBlank) to--
  return { from, to }
}

/** Servers can also be written as one inline table. Whoever does that writes ours in by hand. */
function checkForm(lines: readonly TomlLine[], [parent, name]: readonly string[]): void {
  let table = ''
  for (const line of lines) {
    if (line.table !== undefined) table = line.table
    const isInline =
      (table === '' && (line.key === parent || line.key?.startsWith(`${parent}.`))) ||
      (table === parent && line.key?.split('.')[0] === name)
    if (!isInline) continue
    throw new Failure(
      'conflict',
      'The servers in this file are written as inline tables, which are not changed here.',
      {
        hint: 'Put the lines in by hand.',
      },
    )
  }
}
