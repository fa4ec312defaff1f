import { refusal } from './api-error.js'
import { usualLimits } from './limits.js'

/** JSON of a client. Nested too deep, it would break whoever walks it; that is told before anything is made of it. */
export function parseJson(text: string, mostDepth = usualLimits.jsonDepth): unknown {
  if (isDeeper(text, mostDepth)) {
    const message = `The JSON is nested deeper than ${mostDepth} levels.`
    throw refusal({ status: 400, code: 'invalid_json', message })
  }
  try {
    return JSON.parse(text)
  } catch {
    throw refusal({ status: 400, code: 'invalid_json', message: 'The body is not valid JSON.' })
  }
}

/** Whether brackets outside of strings are nested deeper than so many levels. */
function isDeeper(text: string, most: number): boolean {
  let depth = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') at = endOfString(text, at)
    else if (char === '[' || char === '{') depth++
    else if (char === ']' || char === '}') depth--
    if (depth > most) return true
  }
  return false
}

/** Where the string ends that begins here. */
function endOfString(text: string, start: number): number {
  for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
    let backslashes = 0
    while (text[end - 1 - backslashes] === '\\') backslashes++
    if (backslashes % 2 === 0) return end
  }
  return text.length
}
