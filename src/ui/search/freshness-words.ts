import { count } from '../../core/text/index.js'

/** Freshness of the index, as a sentence. */
export function freshnessWords(freshness: string): string {
  if (freshness === 'fresh') return 'The index is up to date.'
  if (freshness === 'without vectors') return 'The index searches by words alone until its vectors are made again.'
  const left = /\d+/.exec(freshness)
  return left === null ? 'The index is behind.' : `${count(Number(left[0]), 'file')} still to be read.`
}
