import { readFileSync } from 'node:fs'
import { parseCases } from './toolcall-case.js'

export const toolcallCases = parseCases(readFileSync(new URL('../cases/toolcall-cases.jsonl', import.meta.url), 'utf8'))
