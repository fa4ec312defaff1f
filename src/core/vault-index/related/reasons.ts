import type { NotePath } from '../../vault/index.js'
import { baseName, type TellingStem } from '../engine/index.js'
import type { IndexView } from '../index-view.js'
import type { Candidate } from './find-related.js'
import type { LinkRelation } from './link-relations.js'
import { relatedRecipe as recipe } from './related-recipe.js'

/** What speaks for a note in words, the strongest first, and the notes that are named in it. */
export function reasonsFor(
  found: Candidate & { tags: readonly string[]; isNeighbour: boolean },
  stems: readonly TellingStem[],
  view: IndexView,
): { reasons: string[]; by: NotePath[] } {
  const { relations, named, names, tags, isNeighbour } = found
  const reasons: { worth: number; text: string; by?: NotePath }[] = []
  if (named) reasons.push({ worth: plainest + 1, text: `“${named.name}” stands here without a link` })
  if (names) reasons.push({ worth: plainest, text: `Names this note, “${names.name}”, without a link` })
  for (const [relation, words] of Object.entries(relationWords) as [LinkRelation, string][]) {
    const [first, ...others] = relations?.by[relation] ?? []
    if (first === undefined) continue
    const more = others.length > 0 ? ` and ${others.length} more` : ''
    const worth = recipe[relation] * (relations?.worth[relation] ?? 0)
    reasons.push({ worth, text: `${words} ${baseName(first.path)}${more}`, by: first.path })
  }
  const alike = recipe.words * found.words + recipe.meaning * found.meaning
  const shared = sharedWords(found, stems, view)
  if (shared.length > 0 && found.words > 1) reasons.push({ worth: alike, text: `Says the same: ${shared.join(', ')}` })
  else if (found.meaning > 1) reasons.push({ worth: alike, text: 'Near in meaning' })
  if (tags.length > 0)
    reasons.push({
      worth: recipe.tags,
      text: `Same ${tags.length === 1 ? 'tag' : 'tags'}: ${tags
        .slice(0, 3)
        .map((tag) => `#${tag}`)
        .join(', ')}`,
    })
  if (isNeighbour) reasons.push({ worth: recipe.folder / 2, text: 'Same folder' })
  const told = reasons.sort((a, b) => b.worth - a.worth).slice(0, mostReasons)
  if (told.length === 0) return { reasons: ['Near in meaning'], by: [] }
  return { reasons: told.map(({ text }) => text), by: told.flatMap(({ by }) => by ?? []) }
}

/** A name that stands there is the plainest reason of all, whatever it is worth. */
const plainest = 1000
const mostReasons = 3
const mostShared = 4

const relationWords: Record<LinkRelation, string> = {
  citedTogether: 'Both are linked from',
  linkAlike: 'Both link to',
  between: 'One link away, by way of',
}

/** The most telling words of the note that the other one has too, as the note writes them. */
function sharedWords({ at, note }: Candidate, stems: readonly TellingStem[], { segments }: IndexView): string[] {
  const { segment } = segments[at]
  return segment
    .holding(
      note,
      stems.map(({ bytes }) => segment.findStem(bytes)),
    )
    .map((place) => stems[place].word)
    .slice(0, mostShared)
}
