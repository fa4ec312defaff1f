import type { Call } from './prompt.js'
import type { Exchange, Seen } from './seen.js'

/** One thing to do on the way to an answer: the call to make now, or undefined when it is done as far as can be seen. */
export type Step = (seen: Seen) => Call | undefined

const done = ({ exchanges }: Seen, fits: (exchange: Exchange) => boolean): Exchange[] =>
  exchanges.filter((exchange) => !exchange.isError && fits(exchange))

/** Searches, and once more in other words where the first ones did not find it. */
export function search(query: string, clue?: RegExp, otherwise?: string): Step {
  return (seen) => {
    const made = done(seen, ({ name }) => name === 'search_notes').length
    if (made === 0) return { name: 'search_notes', input: { query, top_k: 5 } }
    const isFound = clue === undefined || clue.test(seen.material)
    return !isFound && otherwise && made === 1 ? { name: 'search_notes', input: { query: otherwise } } : undefined
  }
}

/** Reads a note, part after part, until it has seen what it looks for. */
export function read(path: string, clue?: RegExp): Step {
  return (seen) => {
    const shown = knownPath(path, seen)
    const reads = done(seen, ({ name, input }) => name === 'read_note' && isSame(`${input.path}`, shown))
    if (reads.length === 0) return { name: 'read_note', input: { path: shown } }
    if (clue === undefined || clue.test(seen.material)) return undefined
    const [, part, parts] = /part (\d+) of (\d+)/.exec(reads.at(-1)!.text) ?? []
    if (part === undefined || part === parts) return undefined
    return { name: 'read_note', input: { path: shown, part: Number(part) + 1 } }
  }
}

/** Replaces what it has read; what it cannot see it can only guess. */
export function edit(path: string, old: string, fresh: string): Step {
  return (seen) => {
    const isKnown = seen.material.includes(old) || seen.ask.includes(old)
    const input = { path: knownPath(path, seen), old_text: isKnown ? old : `${old} (or so)`, new_text: fresh }
    return once('edit_note', input, seen)
  }
}

export const append =
  (path: string, content: string, heading?: string): Step =>
  (seen) =>
    once('append_note', { path: knownPath(path, seen), content, ...(heading && { heading }) }, seen)

export const rename =
  (path: string, to: string): Step =>
  (seen) =>
    once('rename_note', { path: knownPath(path, seen), new_path: to }, seen)

export const remove =
  (path: string): Step =>
  (seen) =>
    once('delete_note', { path: knownPath(path, seen) }, seen)

export const daily =
  (content: string, date?: string): Step =>
  (seen) =>
    once('create_daily_note', { content, ...(date && { date }) }, seen)

/** Changes a list in the properties: by the tool made for it where there is one, else as text. */
export function tag(path: string, change: { add?: string; remove?: string }, lines: [string, string]): Step {
  return (seen) => {
    if (!seen.tools.has('update_frontmatter')) return read(path)(seen) ?? edit(path, ...lines)(seen)
    const { add, remove } = change
    const input = { ...(add && { add: { tags: [add] } }), ...(remove && { remove: { tags: [remove] } }) }
    return once('update_frontmatter', { path: knownPath(path, seen), ...input }, seen)
  }
}

export function property(path: string, name: string, value: string, lines: [string, string]): Step {
  return (seen) => {
    if (!seen.tools.has('update_frontmatter')) return read(path)(seen) ?? edit(path, ...lines)(seen)
    return once('update_frontmatter', { path: knownPath(path, seen), updates: { [name]: value } }, seen)
  }
}

/** Not again when it was done, and not again when the user said no. */
function once(name: string, input: Record<string, unknown>, { exchanges }: Seen): Call | undefined {
  const isMade = exchanges.some(
    (one) =>
      one.name === name &&
      (!one.isError || isRefusal(one.text)) &&
      (input.path === undefined || isSame(`${one.input.path ?? input.path}`, `${input.path}`)) &&
      (input.content === undefined || one.input.content === undefined || one.input.content === input.content) &&
      (input.new_text === undefined || one.input.new_text === undefined || one.input.new_text === input.new_text),
  )
  return isMade ? undefined : { name, input }
}

export const isRefusal = (text: string): boolean => /cancelled|denied|refused|not allowed|does not want/i.test(text)

/** The path as visible in the request; else the note's name; else the first path found. */
function knownPath(path: string, { material, ask }: Seen): string {
  const name = path.split('/').at(-1)!.replace(/\.md$/, '')
  if (material.includes(path) || ask.includes(path)) return path
  const [, first] = /"path":\s*"([^"]+)"/.exec(material) ?? []
  return ask.includes(name) || material.includes(name) ? name : (first ?? name)
}

const isSame = (one: string, other: string): boolean => bare(one) === bare(other)

const bare = (path: string): string => path.split('/').at(-1)!.replace(/\.md$/, '').toLowerCase()
