import type { NotePath } from '../../vault/index.js'
import type { Linked, LinkedNotes } from './linked-notes.js'

/** How links bring two notes together that are not linked themselves. */
export const linkKinds = ['citedTogether', 'linkAlike', 'between'] as const
export type LinkRelation = (typeof linkKinds)[number]

export interface LinkRelations {
  /** What each relation is worth: more for a note in common that has few links. */
  worth: Record<LinkRelation, number>
  /** The notes in common, the most telling first. */
  by: Record<LinkRelation, { path: NotePath; worth: number }[]>
}

/** Of a note with very many links so many are followed, and one in common with more says nothing of anybody. */
const mostFollowed = 100
const mostInCommon = 1000

export async function linkRelations(
  path: NotePath,
  { from, to }: LinkedNotes,
  isSeen: (paths: readonly Linked[]) => Promise<readonly Linked[]>,
): Promise<Map<NotePath, LinkRelations>> {
  const found = new Map<NotePath, LinkRelations>()
  function add(other: NotePath, relation: LinkRelation, by: NotePath, worth: number): void {
    if (other === path) return
    let relations = found.get(other)
    if (relations === undefined) {
      relations = {
        worth: { citedTogether: 0, linkAlike: 0, between: 0 },
        by: { citedTogether: [], linkAlike: [], between: [] },
      }
      found.set(other, relations)
    }
    relations.worth[relation] += worth
    relations.by[relation].push({ path: by, worth })
  }
  for (const { path: target } of (await isSeen(await from(path))).slice(0, mostFollowed)) {
    const [alike, beyond] = [await to(target), await from(target)]
    if (alike.length > mostInCommon) continue
    for (const { path: other } of alike) add(other, 'linkAlike', target, rareness(alike.length))
    for (const { path: other } of beyond) add(other, 'between', target, rareness(alike.length + beyond.length))
  }
  for (const { path: source, line } of (await isSeen(await to(path))).slice(0, mostFollowed)) {
    const [cited, beyond] = [await from(source), await to(source)]
    if (cited.length > mostInCommon) continue
    const own = cited.find((each) => each.path === path)?.line ?? line
    for (const other of cited) {
      const isNear = Math.abs(other.line - own) <= nearLines
      add(other.path, 'citedTogether', source, rareness(cited.length) * (isNear ? 1 : farShare))
    }
    for (const { path: other } of beyond) add(other, 'between', source, rareness(cited.length + beyond.length))
  }
  for (const { by } of found.values()) for (const each of Object.values(by)) each.sort((a, b) => b.worth - a.worth)
  return found
}

/** Links that stand so near each other in a note belong to one thought. */
const nearLines = 3
const farShare = 0.5

/** Adamic and Adar's measure: what a few share says more than what many do. */
const rareness = (links: number): number => 1 / Math.log(1 + Math.max(2, links))
