import type { Claims } from './claims.js'
import { leadsTo, linksIn, numberOf, placesOf } from './link-marks.js'
import type { Model } from './model.js'
import type { Texts } from './planned-set.js'
import { isNoted } from './play-changes.js'

/** Returns the problems of the vault, given Notewright's claims. */
export function checkDisk(disk: Texts, claims: Claims, model: Model): string[] {
  const notes = notesOf(disk)
  const textsAt = (isThere: (path: string) => boolean) =>
    new Set([...disk].filter(([path]) => isThere(path)).map(([, text]) => text))
  const trash = textsAt((path) => path.startsWith('.trash/'))
  const kept = textsAt((path) => claims.strays.has(path))
  return [
    ...model.problems(notes, { trash, kept }, claims),
    ...strays(disk, claims),
    ...wrongLinks(notes, claims, model),
  ]
}

/** The notes among the files, without settings, trash and temporary files. */
export function notesOf(disk: Texts): Texts {
  return new Map([...disk].filter(([path]) => isNoted(path) && !isTemporary(path)))
}

function strays(disk: Texts, claims: Claims): string[] {
  const left = [...disk.keys()].filter((path) => isTemporary(path) && !claims.strays.has(path))
  return left.map((path) => `${path} was left over`)
}

function isTemporary(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.notewright-')
}

/** Each link says which note it means. It must lead there, unless a user took that note away or has to decide. */
function wrongLinks(notes: Texts, claims: Claims, model: Model): string[] {
  if (model.sets.some((set) => model.isUndecided(set, claims))) return []
  const places = placesOf(notes)
  return [...notes].flatMap(([source, text]) => {
    const number = numberOf(text)
    // An undo may bring back a note that lives on under another name: what is there twice keeps the links it had.
    if (model.isLooseSource(number) || (number !== undefined && !places.has(number))) return []
    return linksIn(text).flatMap(({ target, number }) => {
      const meant = places.get(number)
      if (meant === undefined || model.isLooseTarget(number) || leadsTo(target, meant)) return []
      return [`${source} links to ${target}, and the note it means is ${meant}`]
    })
  })
}
