import type { Conversation } from './conversation.js'

/** Lets a person choose from a numbered list: `1,3`, `2-4`, `all` or `none`. Answers positions from 0; undefined when they left. */
export async function chooseNumbers(
  question: string,
  count: number,
  conversation: Conversation,
  signal: AbortSignal,
): Promise<number[] | undefined> {
  const example = count === 1 ? '1, all' : `1-${count}, e.g. 1,${count}, all`
  for (;;) {
    const text = await conversation.ask(
      `${question} ${conversation.style.faint(`(${example}, Enter for none)`)} `,
      signal,
    )
    if (text === undefined) return undefined
    const chosen = readNumbers(text, count)
    if (chosen !== undefined) return chosen
    conversation.say(`Please give numbers from 1 to ${count}, all, or none.`)
  }
}

export function readNumbers(text: string, count: number): number[] | undefined {
  const words = text.trim().toLowerCase()
  if (words === '' || words === 'none') return []
  if (words === 'all') return Array.from({ length: count }, (_, at) => at)
  const chosen = new Set<number>()
  for (const part of words.split(/[\s,]+/)) {
    const range = /^(\d{1,6})(?:-(\d{1,6}))?$/.exec(part)
    const [first, last] = [Number(range?.[1]), Number(range?.[2] ?? range?.[1])]
    if (range === null || first < 1 || last > count || first > last) return undefined
    for (let number = first; number <= last; number++) chosen.add(number - 1)
  }
  return [...chosen].sort((a, b) => a - b)
}
