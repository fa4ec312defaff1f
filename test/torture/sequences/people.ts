import type { Model } from './model.js'
import type { PersonAct } from './plan.js'
import { isNoted } from './play-changes.js'
import type { World } from './world.js'

/** Somebody with an editor, or a program that syncs, does something to a note; what it was, in words. */
export function actAsPerson(act: PersonAct, pick: number, mark: string, world: World, model: Model): string {
  const disk = world.vault()
  model.see(disk)
  const path = pickNote([...disk.keys()], pick, model)
  if (act === 'create' || path === undefined) {
    const fold = (each: string) => (world.foldsNames ? each.toLowerCase() : each)
    const taken = new Set([...disk.keys()].map(fold))
    const free = [...(model.sets.at(-1)?.touched.keys() ?? [])].filter((each) => !taken.has(fold(each)))
    const place = pick % 2 && free.length > 0 ? free[pick % free.length] : `By a person ${mark}.md`
    const text = `A new note by a person (${mark}).\n`
    world.replace(place, text)
    model.person(place, null, text)
    // Two notes of one name: links by that name may mean either.
    for (const other of model.everAt(place)) model.losesLinksTo(other)
    return `a person makes ${place}`
  }
  const saw = disk.get(path)!
  switch (act) {
    case 'save':
    case 'replace': {
      const text = act === 'save' ? `${saw}A person wrote this (${mark}).\n` : `A person wrote this (${mark}).\n${saw}`
      // One file under two names would change under both; most editors put another in its place.
      world[model.isTwin(path) ? 'replace' : act](path, text)
      model.person(path, saw, text)
      return act === 'save' ? `a person saves ${path}` : `a person replaces ${path}`
    }
    case 'delete':
      world.erase(path)
      model.person(path, saw, null, true)
      model.losesLinksTo(saw)
      if (world.keepsAllTexts) model.losesLinksIn(saw)
      return `a person deletes ${path}`
    case 'rename': {
      const to = `${path.slice(0, path.lastIndexOf('/') + 1)}Renamed ${mark}.md`
      world.rename(path, to)
      model.renamedWhileMoving(path, to)
      model.person(path, saw, null)
      model.person(to, null, saw)
      model.losesLinksTo(saw)
      model.losesLinksIn(saw)
      return `a person renames ${path} to ${to}`
    }
    case 'put an old one back': {
      const older = [...model.seenAt(path)].filter((text) => text !== saw)
      if (older.length === 0) return 'a program that syncs does nothing'
      const text = older[pick % older.length]
      world.replace(path, text)
      model.person(path, saw, text)
      model.losesLinksIn(text)
      return `a program that syncs puts an old version of ${path} back`
    }
  }
}

/** Mostly one that the last change set touches. */
function pickNote(paths: string[], pick: number, model: Model): string | undefined {
  const notes = paths.filter((path) => isNoted(path) && path.endsWith('.md'))
  const touched = notes.filter((path) => model.sets.at(-1)?.touched.has(path))
  const from = pick % 3 && touched.length > 0 ? touched : notes
  return from[(pick >>> 3) % from.length]
}
