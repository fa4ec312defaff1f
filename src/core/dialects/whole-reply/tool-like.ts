/** Whether a name is made as names of tools are, of several words in one: `find_notes`, `findNotes`. */
export function isToolLike(name: string): boolean {
  return /^(?:[a-z]+(?:[_-][a-z0-9]+)+|[a-z]+(?:[A-Z][a-z0-9]*)+)$/.test(name.trim())
}
