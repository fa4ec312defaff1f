import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import ts from 'typescript'

/** A string literal, a text between tags, or a template, with the line it begins on. */
export interface SourceString {
  text: string
  line: number
}

/** The TypeScript files of a folder that are part of the product, relative to the repository. */
export function productFiles(folder: string): string[] {
  return readdirSync(folder, { recursive: true, encoding: 'utf8' })
    .map((file) => join(folder, file).replaceAll('\\', '/'))
    .filter((file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$|\.d\.ts$/.test(file))
    .sort()
}

export const stringsOfFile = (file: string): SourceString[] => stringsIn(readFileSync(file, 'utf8'), file)

/** Every string of a source. A template has `…` in place of what it inserts. Names of modules and types are left out. */
export function stringsIn(source: string, file = 'source.tsx'): SourceString[] {
  const found: SourceString[] = []
  const tree = ts.createSourceFile(file, source, ts.ScriptTarget.Latest, true)
  const look = (node: ts.Node): void => {
    if (ts.isImportDeclaration(node) || ts.isExportDeclaration(node) || ts.isLiteralTypeNode(node)) return
    const text = textOf(node)
    if (text !== undefined && text.trim() !== '') {
      found.push({ text, line: tree.getLineAndCharacterOfPosition(node.getStart()).line + 1 })
    }
    node.forEachChild(look)
  }
  look(tree)
  return found
}

function textOf(node: ts.Node): string | undefined {
  if (ts.isStringLiteralLike(node) || ts.isJsxText(node)) return node.text
  if (!ts.isTemplateExpression(node)) return undefined
  return [node.head.text, ...node.templateSpans.map(({ literal }) => literal.text)].join('…')
}

export interface BannedPhrase {
  phrase: string
  instead: string
}

/** The list of phrases, or the list of terms, in docs/writing.md. */
export function bannedPhrases(list: 'phrases' | 'terms' = 'phrases'): BannedPhrase[] {
  const page = readFileSync(join(import.meta.dirname, '../docs/writing.md'), 'utf8')
  const block = page.split(`\n\`\`\`${list}\n`)[1]?.split('\n```')[0] ?? ''
  return block
    .trim()
    .split('\n')
    .map((line) => {
      const [phrase = '', instead = ''] = line.split(' => ').map((part) => part.trim())
      return { phrase, instead }
    })
}

const patternsOf = (list: 'phrases' | 'terms') =>
  bannedPhrases(list).map((banned) => ({ ...banned, pattern: new RegExp(`\\b${banned.phrase}\\b`, 'i') }))

const phrases = patternsOf('phrases')
const terms = patternsOf('terms')

/** The banned phrases that a text contains. */
export const bannedIn = (text: string): BannedPhrase[] => found(phrases, text)

/** The terms of the code that a text for people contains. Code, commands, options and addresses are left out. */
export const codeTermsIn = (text: string): BannedPhrase[] => found(terms, withoutCode(text))

function found(banned: typeof phrases, text: string): BannedPhrase[] {
  const line = text.replace(/\s+/g, ' ')
  return banned.filter(({ pattern }) => pattern.test(line)).map(({ phrase, instead }) => ({ phrase, instead }))
}

const withoutCode = (text: string): string =>
  text
    .replace(/^```[\s\S]*?^```/gm, '')
    .replace(/`[^`]*`/g, '`')
    .replace(/\]\([^)]*\)/g, ']')
    .replace(/<!--[\s\S]*?-->|<[^>]*>|\[options\]/g, '')
    .replace(/^ *\$.*$/gm, '')
    .replace(/\bnotewright( [a-z-]+)*|(^|[\s(])(--?|\/)[a-z][a-z-]*/g, '$2')

/** Whether a string is a sentence, a part of one, or a label, and not a name, a query or a class. */
export const isReadable = (text: string): boolean =>
  (/[a-z…,:;] [a-z…]/i.test(text) || /^[A-Z][a-z]+$/.test(text)) &&
  !/^\W*(SELECT|INSERT|UPDATE|DELETE|ALTER|CREATE|PRAGMA|DROP|AND|FROM)\b/.test(text) &&
  !/\b(nw|page)-[a-z]/.test(text)
