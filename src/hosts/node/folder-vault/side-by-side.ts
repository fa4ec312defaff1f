/**
 * Does a piece of work for each item, at most so many at a time. After an error nothing more is begun, and it is thrown
 * when all that was begun has come to its end.
 */
export async function sideBySide<T>(
  items: readonly T[],
  most: number,
  work: (item: T) => Promise<void>,
): Promise<void> {
  let next = 0
  const lane = async () => {
    while (next < items.length) {
      try {
        await work(items[next++])
      } catch (error) {
        next = items.length
        throw error
      }
    }
  }
  const lanes = await Promise.allSettled(Array.from({ length: Math.min(most, items.length) }, lane))
  for (const result of lanes) if (result.status === 'rejected') throw result.reason
}
