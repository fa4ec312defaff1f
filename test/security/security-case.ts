import { readFileSync } from 'node:fs'

/** One line of `test/cases/security-cases.jsonl`. `$V`, `$O`, `$E` are the vault, a folder beside it and `<vault>-evil`. */
export interface SecurityCase {
  id: string
  area: string
  severity: string
  setup: string
  action: string
  must: string[]
}

/** One thing to try and what must hold afterwards. */
export interface Check {
  name: string
  run: () => Promise<void> | void
  timeoutMs?: number
}

/** By case id: the case's own text is handed in, so that payloads come from the file and not from here. */
export type CaseChecks = Record<string, (of: SecurityCase) => Check[]>

export function readSecurityCases(): SecurityCase[] {
  return readFileSync(new URL('../cases/security-cases.jsonl', import.meta.url), 'utf8')
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => JSON.parse(line) as SecurityCase)
}

/** The quoted literals of a case's text, with their escapes read; `of` takes only those named so, as in `path:'…'`. */
export function quoted(text: string, of?: 'path' | 'content'): string[] {
  const found = [...text.matchAll(/(?:(path|content|query):)?'((?:[^'\\]|\\.)*)'/g)]
  return found.filter(([, name]) => of === undefined || name === of).map(([, , literal]) => unescaped(literal))
}

function unescaped(literal: string): string {
  return literal.replace(/\\(?:u([0-9a-fA-F]{4})|(.))/g, (_, code: string | undefined, character: string) => {
    if (code !== undefined) return String.fromCharCode(Number.parseInt(code, 16))
    return { n: '\n', r: '\r', t: '\t' }[character] ?? character
  })
}

/** Control and direction characters spelled out, for the name of a check. */
export function shown(text: string): string {
  return JSON.stringify(text).replace(/[^\x20-\x7e]/g, (character) => {
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
}
