/** A line of a diff with its number in the text it belongs to. */
export interface NumberedLine {
  number: number
  text: string
}

export type DiffPart =
  /** Lines that went and lines that came in their place; one of the two may be empty. */
  | { kind: 'replaced'; removed: NumberedLine[]; added: NumberedLine[] }
  | { kind: 'kept'; line: NumberedLine }
  /** Lines left out between two places. */
  | { kind: 'gap' }
  /** Words about the diff instead of a diff: "too long to compare". */
  | { kind: 'remark'; text: string }

/** Reads a unified diff of one file. Text that is no diff comes back as remarks. */
export function diffParts(diff: string): DiffPart[] {
  const parts: DiffPart[] = []
  let [oldLine, newLine] = [0, 0]
  let [removed, added]: [NumberedLine[], NumberedLine[]] = [[], []]
  const flush = () => {
    if (removed.length + added.length > 0) parts.push({ kind: 'replaced', removed, added })
    removed = []
    added = []
  }
  for (const line of diff.split('\n')) {
    const hunk = /^@@ -(\d+)(?:,\d+)? \+(\d+)(?:,\d+)? @@/.exec(line)
    const isInside = oldLine + newLine > 0
    if (hunk !== null) {
      flush()
      if (isInside) parts.push({ kind: 'gap' })
      ;[oldLine, newLine] = [Number(hunk[1]), Number(hunk[2])]
    } else if (!isInside) {
      if (line !== '' && !/^(Index: |=+$|--- |\+\+\+ )/.test(line)) parts.push({ kind: 'remark', text: line })
    } else if (line.startsWith('-')) removed.push({ number: oldLine++, text: line.slice(1) })
    else if (line.startsWith('+')) added.push({ number: newLine++, text: line.slice(1) })
    else if (line.startsWith(' ')) {
      flush()
      parts.push({ kind: 'kept', line: { number: newLine++, text: line.slice(1) } })
      oldLine++
    } else if (line !== '' && !line.startsWith('\\')) {
      flush()
      parts.push({ kind: 'remark', text: line })
    }
  }
  flush()
  return parts
}
