import { type Region, scanNote } from '../../markdown/index.js'
import { executableBlocks } from '../../tools/index.js'
import { isPlainLanguage, isShownAsCode, loadedAddresses } from './loaded-addresses.js'

/** Whether a text in a note has nothing loaded from elsewhere and nothing run, whatever draws the note. */
export function isInert(text: string): boolean {
  return loadedAddresses(anyNote, text).length === 0 && executableBlocks(text).length === 0
}

const anyNote = 'Note.md'

/**
 * The same words with all that taken out: pictures and bare addresses become links, tags are shown, blocks that a plugin
 * would draw or run are code. For what a model says and nobody has looked at.
 */
export function inertText(text: string): string {
  const tame = tamedText(text)
  if (tame !== undefined) return tame
  const code = asCode(withoutTags(text))
  return isInert(code) ? code : wordsAlone(text)
}

/** The same where it still reads as it did; undefined of what could only be shown as code. */
export function tamedText(text: string): string | undefined {
  if (isInert(text)) return text
  const tame = withoutCommands(text)
  const scanned = scanNote(tame).regions.filter((region) => region.kind === 'fence' || isShownAsCode(region, tame))
  let told = ''
  let at = 0
  for (const region of scanned) {
    if (region.start < at) continue
    told += tameWords(tame.slice(at, region.start)) + tameCode(tame.slice(region.start, region.end), region.kind)
    at = region.end
  }
  told += tameWords(tame.slice(at))
  return isInert(told) ? told : undefined
}

/** Templater looks for its commands in code, too. */
const withoutCommands = (text: string): string => text.replaceAll('<%', '< %').replace(/\r(?!\n)/g, '\n')

const tagStart = /<(?=[a-z/!?])/gi
const withoutTags = (text: string): string => withoutCommands(text).replace(tagStart, '\\<')

function tameWords(text: string): string {
  return text
    .replace(/!(?=\[)/g, '')
    .replace(tagStart, '\\<')
    .replace(/(\](?:\(|:)\s{0,20}<?)?((?:(?:https?|ftps?|wss?):\/\/|\bwww\.)[^\s<>()[\]"'`*_~|]+)/gi, asLink)
}

/** Where it is not the target of a link already, an address is made one: nobody follows that but a person. */
function asLink(whole: string, before: string | undefined, address: string): string {
  if (before !== undefined) return whole
  const [ending] = /[.,;:!?]*$/.exec(address)!
  const url = address.slice(0, address.length - ending.length)
  return `[${url}](${url.includes('://') ? url : `https://${url}`})${ending}`
}

function tameCode(source: string, kind: Region['kind']): string {
  if (kind !== 'fence' || isPlainLanguage(source)) return source
  return source.replace(/^([`~]+)[^\n]*/, '$1text')
}

function asCode(text: string): string {
  const longest = Math.max(2, ...(text.match(/`+/g) ?? []).map(({ length }) => length))
  const fence = '`'.repeat(longest + 1)
  return `${fence}text\n${text}\n${fence}`
}

/** Of something that no rule above has understood. */
const wordsAlone = (text: string): string =>
  text.replace(/[^\p{L}\p{N}\s.,;?!'()-]/gu, ' ').replace(/\bwww\./gi, 'www ')
