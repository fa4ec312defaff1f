export interface Limited {
  limit: number
  /** What to say when less is given than was asked for. */
  remark?: string
}

/** How many to answer: what was asked for, the usual number, or the most there is, which is then said. */
export function withinLimit(
  name: string,
  asked: number | undefined,
  { usual, most }: { usual: number; most: number },
): Limited {
  const limit = Math.floor(asked ?? usual)
  return limit > most ? { limit: most, remark: `${name} is at most ${most}, so ${most} was used.` } : { limit }
}

/** "1 note", "2,000 notes". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}
