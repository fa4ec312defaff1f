import type { Claims } from './claims.js'
import type { Model, Texts } from './model.js'
import { isNoted } from './play-changes.js'

/** What is wrong with the vault, given what Notewright says of it. */
export function checkDisk(disk: Texts, claims: Claims, model: Model, trash: 'local' | 'none'): string[] {
  const notes = new Map([...disk].filter(([path]) => isNoted(path) && !isTemporary(path)))
  return [
    ...model.problems(notes, claims),
    ...strays(disk, claims),
    ...(trash === 'local' ? lostFromTrash(disk, claims, model) : []),
    ...wrongLinks(notes, claims, model),
  ]
}

function strays(disk: Texts, claims: Claims): string[] {
  return [...disk.keys()]
    .filter((path) => isTemporary(path) && !claims.strays.has(path))
    .map((path) => `${path} was left over`)
}

function isTemporary(path: string): boolean {
  return path.slice(path.lastIndexOf('/') + 1).startsWith('.notewright-')
}

function lostFromTrash(disk: Texts, claims: Claims, model: Model): string[] {
  const inTrash = new Set([...disk].filter(([path]) => path.startsWith('.trash/')).map(([, text]) => text))
  return model.sets
    .filter((set) => model.state(set, claims) === 'applied' && !model.sets.some(({ undoes }) => undoes === set.id))
    .flatMap(({ id, trashed }) =>
      trashed.filter((text) => !inTrash.has(text)).map(() => `${id} put a note into the trash, and it is not there`),
    )
}

/** Each link says which note it means. It must lead there, unless a person took that note away or has to decide. */
function wrongLinks(notes: Texts, claims: Claims, model: Model): string[] {
  if (model.sets.some((set) => ['undecided', 'lost'].includes(model.state(set, claims)))) return []
  const paths = new Map<string, string[]>()
  for (const [path, text] of notes) {
    const number = numberOf(text)
    if (number !== undefined) paths.set(number, [...(paths.get(number) ?? []), path])
  }
  const wrong: string[] = []
  for (const [source, text] of notes) {
    if (model.hasLooseLinksIn(numberOf(text))) continue
    for (const [, target, number] of text.matchAll(/\[\[([^\]|#]+)[^\]]*\]\] for (n\d+)/g)) {
      const meant = paths.get(number) ?? []
      if (meant.length !== 1 || model.hasLooseLinksTo(number) || leadsTo(target, meant[0])) continue
      wrong.push(`${source} links to ${target}, and the note it means is ${meant[0]}`)
    }
  }
  return wrong
}

export function numberOf(text: string): string | undefined {
  return text.match(/^# Note (n\d+) about/m)?.[1]
}

function leadsTo(target: string, path: string): boolean {
  return `/${path.toLowerCase()}`.endsWith(`/${target.toLowerCase().replace(/\.md$/, '')}.md`)
}
