import { naturalLog } from './natural-log.js'

/** Natural logarithms of counts are asked for millions of times. */
export function logOfCount(count: number): number {
  return count < smallLogs.length ? smallLogs[count] : naturalLog(count)
}

const smallLogs = Float64Array.from({ length: 256 }, (_, count) => (count < 1 ? 0 : naturalLog(count)))
