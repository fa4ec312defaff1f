import type { Situation } from '../prompt/index.js'
import type { Request } from './deed.js'

const courtesy =
  /^(?:please|pls|kindly|hey notewright|notewright|ok(?:ay)?|now|then|(?:can|could|would|will) you(?: please)?|i(?:['’]d| would) like you to|i want you to|go ahead and)[\s,:]+/i
const thanks = /[\s,]{1,9}(?:please|thanks|thank you)[\s.!]{0,9}$/i

/** The request as the intents read it: without `@` commands, courtesies and a leading slash. */
export function readRequest({ text: given, currentNote, attached }: Situation): Request {
  const mentioned: string[] = []
  const commands = new Set<string>()
  const keep = (note: string): string => {
    mentioned.push(note.trim())
    return `[[${note.trim()}]]`
  }
  // Two and more signs in a row are stepped over whole: none of them begins a command.
  const bare = given
    .replace(/@{2,}|\B@(?:note\s+)?\[\[([^\]\n|]+)(?:\|[^\]\n]*)?\]\]/gi, (all, note?: string) =>
      note === undefined ? all : keep(note),
    )
    .replace(/@{2,}|\B@note\s+(?:["“]([^"”\n]+)["”]|(\S+))/gi, (all, quoted?: string, word?: string) => {
      const note = quoted ?? word
      return note === undefined ? all : keep(note)
    })
    .replace(/@{2,}|\B@(vault|websearch|web|memory)\b(?!\.\w)/gi, (all, command?: string) => {
      if (command === undefined) return all
      commands.add(command.toLowerCase().replace('websearch', 'web'))
      return ''
    })
    .trim()
    .replace(/^\/(?=\p{L})/u, '')
  let text = bare
  let isPolite = false
  for (let rest = text.replace(courtesy, ''); rest !== text; rest = text.replace(courtesy, '')) {
    isPolite = true
    text = rest
  }
  return {
    text: text.replace(thanks, '').trim(),
    isQuestion: !isPolite && /\?\s*$/.test(bare),
    ...(currentNote !== undefined && { currentNote }),
    attached,
    mentioned: [...new Set(mentioned)].filter((note) => note !== ''),
    commands,
  }
}
