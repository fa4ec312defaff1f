import { Failure } from '../../../core/errors.js'

/** False when someone else is in the way, or `work` says so. A disk that fails still throws. */
export async function ifNotInTheWay(work: () => Promise<unknown>): Promise<boolean> {
  try {
    return (await work()) !== false
  } catch (error) {
    if (isConflict(error)) return false
    throw error
  }
}

export function isConflict(error: unknown): boolean {
  return error instanceof Failure && error.code === 'conflict'
}
