import { Failure } from '../../errors.js'
import { nearestName } from '../../names/index.js'
import type { PlainSelector, Selector } from './rule.js'

const kinds = ['path', 'folder', 'tag', 'prop', 'domain']

/** Reads what stands between the brackets of a rule: a path pattern, `folder:`, `tag:`, `prop:`, `domain:`, or `!` and one of them. */
export function parseSelector(text: string): Selector {
  const inside = text.trim()
  if (inside.startsWith('!')) return { kind: 'not', selector: parsePlain(inside.slice(1).trim()) }
  return parsePlain(inside)
}

/** Whether a path must be written as `path:…` because it would be taken for something else. */
export function needsPathWord(path: string): boolean {
  return /^(?:!|[a-z-]+:)/.test(path) || path !== path.trim()
}

function parsePlain(text: string): PlainSelector {
  if (text === '') throw new Failure('invalid-input', 'the brackets are empty')
  const [, kind, value] = /^(?:([a-z-]+):)?\s*(.*)$/s.exec(text)!
  switch (kind) {
    case undefined:
    case 'path':
      return { kind: 'path', pattern: checkPath(value) }
    case 'folder':
      return { kind: 'folder', folder: checkPath(value.replace(/\/+$/, '')) }
    case 'tag':
      return { kind: 'tag', tag: readTag(value) }
    case 'prop':
      return readProperty(value)
    case 'domain':
      return { kind: 'domain', domain: readDomain(value) }
    default: {
      const near = nearestName(kind, kinds)
      const hint = near === undefined ? `There is ${kinds.join(', ')}.` : `Did you mean ${near}:?`
      throw new Failure('invalid-input', `unknown selector ${JSON.stringify(`${kind}:`)}`, {
        hint: `${hint} A path with a colon is written path:${text}.`,
      })
    }
  }
}

// What `notePath` refuses can never be the path of a note, so a pattern with it could never match.
function checkPath(pattern: string): string {
  const reason =
    pattern === ''
      ? 'the path is empty'
      : pattern.startsWith('/')
        ? 'a path begins at the top of the vault, without "/"'
        : /(?:^|\/)\.{0,2}(?:\/|$)/.test(pattern.replace(/\/$/, ''))
          ? 'a path has no empty names, "." or ".."'
          : /[\p{Cc}\u2028-\u202e\u2066-\u2069]/u.test(pattern)
            ? 'control and direction characters are not allowed'
            : /\\(?![*?\\])/.test(pattern)
              ? 'use "/" between folders; a backslash only stands before *, ? or another backslash'
              : undefined
  if (reason !== undefined) throw new Failure('invalid-input', reason)
  return pattern
}

function readTag(text: string): string {
  const tag = text.replace(/^#/, '').replace(/\/+(?:\*\*?)?$/, '')
  if (tag === '' || /[\s#*?]/.test(tag)) {
    throw new Failure('invalid-input', `not a tag: ${JSON.stringify(text)}`, { hint: 'tag:#draft means #draft/… too.' })
  }
  return tag
}

function readProperty(text: string): PlainSelector {
  const equals = text.indexOf('=')
  const name = (equals < 0 ? text : text.slice(0, equals)).trim()
  if (name === '') throw new Failure('invalid-input', 'write a property as prop:name=value')
  return { kind: 'prop', name, ...(equals >= 0 && { value: text.slice(equals + 1).trim() }) }
}

function readDomain(text: string): string {
  const bare = text.trim().replace(/^\*\.|\.$/g, '')
  const url = `http://${bare}/`
  const host = URL.canParse(url) ? new URL(url) : undefined
  if (host === undefined || bare === '' || /[/?#@\s*]/.test(bare) || host.port !== '' || /:\d*$/.test(bare)) {
    throw new Failure('invalid-input', `not a domain: ${JSON.stringify(text)}`, {
      hint: 'Write it as domain:example.org; subdomains are meant too.',
    })
  }
  return host.hostname
}
