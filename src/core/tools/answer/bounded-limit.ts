export interface BoundedLimit {
  limit: number
  /** What to say when less is given than was asked for. */
  remark?: string
}

/** How many to answer: what was asked for, the usual number, or the most there is, which is then said. */
export function boundedLimit(
  name: string,
  asked: number | undefined,
  { usual, most }: { usual: number; most: number },
): BoundedLimit {
  const limit = Math.floor(asked ?? usual)
  return limit > most ? { limit: most, remark: `${name} is at most ${most}, so ${most} was used.` } : { limit }
}
