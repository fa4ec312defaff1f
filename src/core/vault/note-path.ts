import { Failure } from '../errors.js'

declare const checked: unique symbol

/** A checked vault-relative path with `/` separators. Only `notePath` and `newNotePath` make one. */
export type NotePath = string & { readonly [checked]: true }

/** Checks a path for reading. Refuses before any file is touched; keeps the spelling. */
export function notePath(input: string): NotePath {
  const reason = whyRefused(input)
  if (reason !== undefined) throw refusal(input, reason)
  return input as NotePath
}

/** Whether `notePath` accepts a name in a folder that it accepts: asked of every file of a vault, so plain names pass quickly. */
export function isAllowedIn(folder: string, name: string): boolean {
  if (plainName.test(name) && folder.length + name.length < longestPath) return true
  return whyRefused(folder === '' ? name : `${folder}/${name}`) === undefined
}

/**
 * Checks a path for creating: the name must be valid on every system. `isThere` tells which parts already exist, given
 * the path up to there: existing names are accepted as they are.
 */
export function newNotePath(input: string, isThere: (path: string) => boolean = () => false): NotePath {
  const path = notePath(input)
  if (path.length > 1024) throw refusal(input, 'the path is too long')
  const segments = path.split('/')
  for (const [at, segment] of segments.entries()) {
    const reason = whyNotPortable(segment)
    if (reason !== undefined && !isThere(segments.slice(0, at + 1).join('/'))) throw unsuitable(input, segment, reason)
  }
  return path
}

/** Notes are Markdown files; everything else in a vault is an attachment or a canvas. */
export function isNote(path: string): boolean {
  return /\.md$/i.test(path)
}

/** Folder part of a path, '' for the vault itself. */
export function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')))
}

/** The one refusal of a path; the host's own checks (links, pipes) use it too. */
export function pathFailure(path: string, reason: string): Failure {
  return refusal(path, reason)
}

function refusal(input: unknown, reason: string): Failure {
  return new Failure('path', `Path must be within vault directory: ${shown(input)}: ${reason}`, {
    hint: 'Use a path relative to the vault, like "folder/note.md".',
  })
}

function unsuitable(input: string, segment: string, reason: string): Failure {
  const { code, message } = refusal(input, `${shown(segment)} cannot be used as a name: it ${reason}`)
  return new Failure(code, message, { hint: 'Choose a name that works on Windows, macOS, Linux and phones.' })
}

const longestPath = 4096
// Letters of the most used scripts, none of them invisible or half of one.
const letters = 'A-Za-z\u00c0-\u024f\u0386-\u0481\u048a-\u052f\u3041-\u3096\u30a1-\u30fa\u4e00-\u9fff\uac00-\ud7a3'
const plainName = new RegExp(`^[${letters}0-9_-][${letters}0-9 _.,()'’–—&+-]*$`)
const plainPath = /^[A-Za-z0-9_-][A-Za-z0-9 _.,()'&+-]*(?:\/[A-Za-z0-9_-][A-Za-z0-9 _.,()'&+-]*)*$/
const controlCharacter = /[\p{Cc}\u2028\u2029]/u
const bidiOverride = /[\u202a-\u202e\u2066-\u2069]/
const loneSurrogate = /\p{Surrogate}/u
// Some file systems do not see these characters, so `\u200c.git` would reach `.git`.
const invisible = /\p{Default_Ignorable_Code_Point}/gu

function whyRefused(input: string): string | undefined {
  if (typeof input !== 'string' || input === '') return 'the path is empty'
  if (input.length > longestPath) return 'the path is too long'
  if (plainPath.test(input)) return undefined
  if (controlCharacter.test(input)) return 'control characters and line breaks are not allowed'
  if (bidiOverride.test(input)) return 'characters that change the text direction are not allowed'
  if (loneSurrogate.test(input)) return 'the name is not valid Unicode'
  if (input.includes('\\')) return 'use "/" between folders, not a backslash'
  if (input.startsWith('/')) return 'absolute paths are not allowed'
  // `Q: why.md` is a question, and no drive.
  if (/^[A-Za-z]:(?:\/|$)/.test(input)) return 'drive letters are not allowed'
  return firstReason(input.split('/'), whySegmentRefused)
}

function whySegmentRefused(segment: string): string | undefined {
  if (segment === '') return 'a folder name is empty'
  if (segment === '..') return '".." is not allowed'
  if (segment.replace(invisible, '').startsWith('.')) return 'names that start with a dot are reserved'
  return undefined
}

const deviceName = /^(?:con|prn|aux|nul|com[0-9¹²³]|lpt[0-9¹²³]|conin\$|conout\$|clock\$)$/i

function whyNotPortable(segment: string): string | undefined {
  const odd = new Set(segment.match(/[<>:"|?*]/g))
  if (odd.size > 0) return `contains ${[...odd].join(' ')}, which not every system allows`
  if (/[. ]$/.test(segment)) return 'ends with a dot or a space, which not every system allows'
  if (deviceName.test(segment.replace(/\..*/s, '').trim())) return 'is a device name on Windows'
  if (new TextEncoder().encode(segment).length > 255) return 'is longer than 255 bytes'
  return undefined
}

function firstReason(segments: string[], check: (segment: string) => string | undefined): string | undefined {
  for (const segment of segments) {
    const reason = check(segment)
    if (reason !== undefined) return reason
  }
  return undefined
}

function shown(input: unknown): string {
  const text = String(input)
  // Bidi characters would turn around the very message that refuses them.
  const escaped = JSON.stringify(text.length > 120 ? `${text.slice(0, 120)}…` : text)
  return escaped.replace(/[\u007f-\u009f\u2028-\u202e\u2066-\u2069]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}

/**
 * The form in which two paths are compared: NFC, full case folding, no dots or spaces at the end of a name.
 * `Café.md` in either normalisation, `CAFÉ.MD` and `café.md.` are the same note.
 */
export function foldPath(path: string): string {
  const folded = ascii.test(path) ? path.toLowerCase() : foldCase(path)
  return trailing.test(folded) ? folded.replace(trailingAll, '') : folded
}

const ascii = /^\p{ASCII}*$/u
const trailing = /[. ](?:\/|$)/
const trailingAll = /[. ]+(?=\/|$)/g

/** Letters without their case. */
// Lower, upper, lower reaches what Unicode calls full folding: ſ and S, ß and ẞ and SS, µ and Μ meet.
// Dotless ı would wrongly meet i on that way, so it is kept apart.
export function foldCase(text: string): string {
  const folded = text
    .normalize('NFC')
    .split('ı')
    .map((part) => part.toLowerCase().toUpperCase().toLowerCase())
    .join('ı')
  return folded.replaceAll('ς', 'σ').normalize('NFC')
}

/** Gives each path a file name that nothing in the folder and no path before it has: `Plan.md`, `Plan 2.md`. */
export function freeNames(there: readonly string[]): (path: string) => string {
  const taken = new Set(there.map(foldPath))
  return (path) => {
    const name = path.slice(path.lastIndexOf('/') + 1)
    const cut = isNote(name) ? name.length - 3 : name.length
    let free = name
    for (let count = 2; taken.has(foldPath(free)); count++) free = `${name.slice(0, cut)} ${count}${name.slice(cut)}`
    taken.add(foldPath(free))
    return free
  }
}
