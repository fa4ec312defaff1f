import { Failure } from '../errors.js'
import type { PromptFile } from './read-prompts.js'

/**
 * A prompt with the words behind its name: `key=value` and `key="two words"` fill `{{key}}`, all others `$ARGUMENTS`. A
 * prompt with one gap takes them all for it; one without any gets them at its end.
 */
export function fillPrompt({ name, text }: Pick<PromptFile, 'name' | 'text'>, words: string): string {
  const gaps = [...new Set(Array.from(text.matchAll(/\{\{\s*([\w-]+)\s*\}\}/g), ([, gap]) => gap))]
  const named = new Map<string, string>()
  const rest = words
    .replace(
      /(^|\s)([\w-]+)=(?:"([^"]*)"|(\S+))/g,
      (all, before: string, key: string, quoted?: string, word?: string) => {
        if (!gaps.includes(key)) return all
        named.set(key, quoted ?? word ?? '')
        return before
      },
    )
    .replace(/\s+/g, ' ')
    .trim()
  const takesRest = text.includes('$ARGUMENTS')
  if (!takesRest && rest !== '' && gaps.length === 1 && !named.has(gaps[0])) named.set(gaps[0], rest)
  const missing = gaps.filter((gap) => !named.has(gap))
  if (missing.length > 0) {
    throw new Failure('invalid-input', `The prompt /${name} needs ${missing.join(', ')}.`, {
      hint: `For example: /${name} ${missing.map((gap) => `${gap}="…"`).join(' ')}`,
    })
  }
  const isUsed = takesRest || (gaps.length === 1 && named.get(gaps[0]) === rest)
  // In one pass: what was filled in is not looked at again.
  const filled = text.replace(/\$ARGUMENTS|\{\{\s*([\w-]+)\s*\}\}/g, (_, gap?: string) =>
    gap === undefined ? rest : (named.get(gap) ?? ''),
  )
  return isUsed || rest === '' ? filled : `${filled}\n\n${rest}`
}
