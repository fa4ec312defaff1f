import { scalarText } from '../text/index.js'
import type { Frontmatter } from './scanned-note.js'

/**
 * Whether frontmatter has a property `private` that does not plainly say no. Whoever writes `on`, `1` or `yes please`
 * means it, and what cannot be read is taken for a yes.
 */
export function isPrivate(text: string, frontmatter: Frontmatter | undefined): boolean {
  if (frontmatter === undefined) return false
  const { data, yaml } = frontmatter
  if (data === undefined) return mayBePrivate(text.slice(yaml.start, yaml.end))
  return Object.keys(data).some((key) => isPrivateKey(key) && !saysNo(data[key]))
}

/** The same of YAML that nobody could read: a line, or a part of one, that looks like the property. */
function mayBePrivate(yaml: string): boolean {
  const unescaped = yaml.replace(escapes, (_, ...codes: string[]) => {
    const code = Number.parseInt(codes.slice(0, 3).find(Boolean)!, 16)
    return code <= 0x10ffff ? String.fromCodePoint(code) : ' '
  })
  for (const [, quoted, value] of unescaped.matchAll(property)) {
    if (
      isPrivateKey(quoted) &&
      !saysNo(
        value
          .replace(/\s#.*$/, '')
          .trim()
          .replace(/^["']|["'],?$|[,}\]]+$/g, ''),
      )
    )
      return true
  }
  return false
}

const escapes = /\\(?:x([0-9a-f]{2})|u([0-9a-f]{4})|U([0-9a-f]{8}))/gi
const property = /(?:^|[{,?])([^\n\r:{,?]*private[^\n\r:{,]*)(?:\r?\n\s*)?:(.*)$/gim

function isPrivateKey(key: string): boolean {
  const bare = key.normalize('NFKC').replace(/\p{Default_Ignorable_Code_Point}|["']/gu, '')
  return bare.trim().toLowerCase() === 'private'
}

const no = /^(?:false|no|n|off|0+(?:\.0*)?|null|~)?$/i

function saysNo(value: unknown): boolean {
  if (Array.isArray(value)) return value.every(saysNo)
  if (typeof value === 'object' && value !== null) return Object.keys(value).length === 0
  return no.test(scalarText(value).trim())
}
