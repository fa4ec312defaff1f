import { readAtCommands } from '../../at-commands/index.js'
import type { Situation } from '../prompt/index.js'
import type { Request } from './task.js'

const courtesy =
  /^(?:please|pls|kindly|hey notewright|notewright|ok(?:ay)?|now|then|(?:can|could|would|will) you(?: please)?|i(?:['’]d| would) like you to|i want you to|go ahead and)[\s,:]+/i
const thanks = /[\s,]{1,9}(?:please|thanks|thank you)[\s.!]{0,9}$/i

/** The request as the intents read it: without `@` commands, courtesies and a leading slash. */
export function readRequest({ text: given, currentNote, attached }: Situation): Request {
  const { text: uncommanded, notes, commands } = readAtCommands(given)
  const bare = uncommanded.trim().replace(/^\/(?=\p{L})/u, '')
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
    mentioned: [...new Set(notes)].filter((note) => note !== ''),
    commands,
  }
}
