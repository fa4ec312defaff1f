import { type Region, scanNote } from '../markdown/index.js'
import { executableBlocks } from '../tools/index.js'
import { isPlainLanguage, isShownAsCode, loadedAddresses } from './loaded-addresses.js'

/** True if a text loads and runs nothing in any renderer of the note. */
export function isInert(text: string): boolean {
  return loadedAddresses(anyNote, text).length === 0 && executableBlocks(text).length === 0
}

const anyNote = 'Note.md'

/**
 * Makes unreviewed model output inert: images and bare addresses become links, tags are escaped, blocks that a plugin
 * would render or run become code.
 */
export function inertText(text: string): string {
  const tame = withoutActiveContent(text)
  if (tame !== undefined) return tame
  const code = asCode(withoutTags(text))
  return isInert(code) ? code : wordsAlone(text)
}

/** The same, but undefined if the text could only be shown as code. */
export function withoutActiveContent(text: string): string | undefined {
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

/** Templater runs commands in code blocks too. */
const withoutCommands = (text: string): string => text.replaceAll('<%', '< %').replace(/\r(?!\n)/g, '\n')

const tagStart = /<(?=[a-z/!?])/gi
const withoutTags = (text: string): string => withoutCommands(text).replace(tagStart, '\\<')

function tameWords(text: string): string {
  return text
    .replace(/!(?=\[)/g, '')
    .replace(tagStart, '\\<')
    .replace(/(\](?:\(|:)\s{0,20}<?)?((?:(?:https?|ftps?|wss?):\/\/|\bwww\.)[^\s<>()[\]"'`*_~|]+)/gi, asLink)
}

/** Turns a bare address into a link, which is only followed on a click. */
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

/** Last resort: words and basic punctuation only. */
const wordsAlone = (text: string): string =>
  text.replace(/[^\p{L}\p{N}\s.,;?!'()-]/gu, ' ').replace(/\bwww\./gi, 'www ')
