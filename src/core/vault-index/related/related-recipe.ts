/** What speaks for a note and how much, chosen by links taken out of real notes (`bench/related`). */
export interface RelatedRecipe {
  /** Telling words of the note that others are compared by. */
  stems: number
  words: number
  meaning: number
  /** Notes linked from the same note, notes linking to the same one, and those one note lies between. */
  citedTogether: number
  linkAlike: number
  between: number
  /** The other's name stands in this note; this note's name stands in the other. Less for names that are common words. */
  named: number
  names: number
  tags: number
  folder: number
}

export const relatedRecipe: RelatedRecipe = {
  stems: 80,
  words: 1,
  meaning: 0.5,
  citedTogether: 3,
  linkAlike: 0.5,
  between: 1.5,
  named: 30,
  names: 4,
  tags: 0.5,
  folder: 0.15,
}
