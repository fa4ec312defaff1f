import { readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { parseCases } from './toolcall-case.js'

/** The cases that every reader is held to, and those of further families and repairs. */
export const caseFiles = ['toolcall-cases.jsonl', 'family-cases.jsonl'].map((name) =>
  fileURLToPath(new URL(`../cases/${name}`, import.meta.url)),
)

export const toolcallCases = caseFiles.flatMap((file) => parseCases(readFileSync(file, 'utf8')))
