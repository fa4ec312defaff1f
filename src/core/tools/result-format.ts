import * as z from 'zod'
import { folderNamed, type NoteIndex } from '../index/index.js'
import { visibleJson, visibleText } from '../text/index.js'
import { isoTime, timeZone } from '../time/index.js'
import { notePath } from '../vault/index.js'

/** The field of an answer for sentences about it: a limit was lowered, there is more. */
export const remarksField = z.array(z.string()).optional()

export function remarks(...sentences: (string | undefined)[]): { remarks?: string[] } {
  const said = sentences.filter((sentence) => sentence !== undefined)
  return said.length === 0 ? {} : { remarks: said }
}

/** The result as JSON with invisible characters marked, followed by the remarks. */
export function jsonText(found: object, said: readonly string[] = []): string {
  return [visibleJson(JSON.stringify(found)), ...said].join('\n')
}

interface BoundedLimit {
  limit: number
  /** Set if the limit was lowered. */
  remark?: string
}

/** The requested limit, the usual one, or the maximum with a remark. */
export function boundedLimit(
  name: string,
  asked: number | undefined,
  { usual, most }: { usual: number; most: number },
): BoundedLimit {
  const limit = Math.floor(asked ?? usual)
  return limit > most ? { limit: most, remark: `${name} can be at most ${most}, so ${most} was used.` } : { limit }
}

/** "1 note", "2,000 notes". */
export function counted(count: number, one: string, many = `${one}s`): string {
  return `${count.toLocaleString('en')} ${count === 1 ? one : many}`
}

/** A title, a heading, a link's words: one visible line of bounded length. */
export function shortText(text: string, most = 200): string {
  const line = text
    .slice(0, most * 4)
    .replace(/\s+/g, ' ')
    .trim()
  return visibleText(isLonger(text, line, most) ? `${cutText(line, most)}…` : line).text
}

/** At most `most` UTF-16 units from the start, without splitting a surrogate pair. */
export function cutText(text: string, most: number): string {
  if (text.length <= most) return text
  const code = text.charCodeAt(most - 1)
  return text.slice(0, code >= 0xd800 && code < 0xdc00 ? most - 1 : most)
}

const isLonger = (text: string, line: string, most: number): boolean => line.length > most || text.length > most * 4

/** ISO 8601 in UTC; null for a time that is no time, as a damaged disk may report. */
export function utcTime(ms: number): string | null {
  const date = new Date(ms)
  return Number.isNaN(date.getTime()) ? null : date.toISOString()
}

/** ISO 8601 in the user's time zone, as used in date filters; null for an invalid time. */
export function localTime(ms: number, zoneName: string): string | null {
  if (Number.isNaN(new Date(ms).getTime())) return null
  const zone = timeZone(zoneName)
  const offset = zone.offsetAt(ms)
  const wall = new Date(ms + offset).toISOString()
  return offset === 0 ? wall : `${wall.slice(0, 23)}${isoTime(ms, zone).slice(19)}`
}

/**
 * Resolves a folder given by its path or by a unique name. '' is the whole vault. An unknown folder is returned as
 * given.
 */
export async function folderPath(wanted: string | undefined, index: Pick<NoteIndex, 'files'>): Promise<string> {
  const folder = (wanted ?? '').trim()
  if (folder === '' || folder === '/' || folder === '.') return ''
  const path = notePath(folder.replace(/([^/])\/$/, '$1'))
  return folderNamed(await index.files(), path) ?? path
}
