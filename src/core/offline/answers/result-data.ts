export interface ResultData<T> {
  data?: T
  /** What the tool says around its data: a corrected word, a list that was cut. */
  remarks: string[]
}

/** A result's JSON, which stands on a line of its own, and the sentences above and below it. */
export function dataIn<T>(text: string): ResultData<T> {
  const lines = text.split('\n')
  for (const [at, line] of lines.entries()) {
    if (!/^\s*[[{]/.test(line)) continue
    try {
      const data = JSON.parse(line) as T
      const remarks = [...lines.slice(0, at), ...lines.slice(at + 1)].map((each) => each.trim())
      return { data, remarks: remarks.filter((each) => each !== '') }
    } catch {
      // A sentence that begins with a bracket: the data stands on another line.
    }
  }
  return { remarks: [] }
}

/** A list of records; what is not one is left out. */
export function recordsIn(text: string): ResultData<Record<string, unknown>[]> & { data: Record<string, unknown>[] } {
  const { data, remarks } = dataIn<unknown>(text)
  const list: unknown[] = Array.isArray(data) ? data : []
  const records = list.filter((each) => typeof each === 'object' && each !== null) as Record<string, unknown>[]
  return { data: records, remarks }
}

export const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')
