import { fill, names } from './fill-schema.js'
import { type Message, type ModelReply, type ModelRequest, type Tool, tokensOf } from './request.js'

/**
 * A small model that works from the request alone. It calls the tool whose name and description the question speaks of,
 * fills in what the schema asks for from the question, answers from results, repeats what it is told to say, and
 * recalls what was said before. It is no test's accomplice: nothing of a test or a suite stands in it.
 */
export function think(request: ModelRequest): ModelReply {
  const { messages, tools, choice } = request
  const at = messages.findLastIndex(({ role }) => role === 'user')
  const ask = messages[at]?.text ?? ''
  const results = messages.slice(at + 1).filter(({ role }) => role === 'tool')
  if (choice !== 'none' && results.length === 0) {
    const calls = chosenCalls(tools, ask, request)
    if (calls.length > 0) return { reasoning: 'A tool can tell.', text: 'Let me look.', calls }
  }
  return cut(stopped(answer(request, ask, at, results), request.stop), request.maxTokens)
}

function chosenCalls(tools: Tool[], ask: string, { choice, parallel }: ModelRequest) {
  const mustCall = choice === 'required' || typeof choice === 'object'
  const named = typeof choice === 'object' ? tools.filter(({ name }) => name === choice.name) : tools
  const ranked = named
    .map((tool) => ({ tool, score: fit(tool, ask) }))
    .sort((one, other) => other.score - one.score)
    .filter(({ score }, place) => score >= 2 || (mustCall && place === 0))
  const best = ranked[0]
  if (best === undefined) return []
  const wanted = ranked.filter(({ score }) => score === best.score || score >= 4).map(({ tool }) => tool)
  const calls = wanted.flatMap((tool) => askedFor(tool, ask).map((text) => call(tool, text)))
  const several = calls.filter((made, place) => calls.findIndex((other) => same(made, other)) === place)
  return parallel ? several : several.slice(0, 1)
}

const same = (one: { name: string; arguments: string }, other: typeof one) =>
  one.name === other.name && one.arguments === other.arguments

const call = (tool: Tool, text: string) => ({ name: tool.name, arguments: JSON.stringify(fill(tool.schema, text)) })

/** How well a question matches a tool: zero without half of the words of its name. */
function fit({ name, description }: Tool, ask: string): number {
  if (ask.includes(name)) return 4
  const asked = new Set(wordsIn(ask))
  const inName = wordsIn(name.replace(/([a-z])([A-Z])/g, '$1 $2').replaceAll('_', ' '))
  const inDescription = wordsIn(description).filter((word) => !inName.includes(word))
  const hits = (words: string[]) => new Set(words.filter((word) => asked.has(word))).size
  return hits(inName) * 2 >= inName.length ? 2 * hits(inName) + hits(inDescription) : 0
}

const idle = new Set('the and for get from with this that what your you are use tool given returns return'.split(' '))

function wordsIn(text: string): string[] {
  return (text.toLowerCase().match(/[\p{L}\d]{3,}/gu) ?? []).filter((word) => !idle.has(word)).map(stem)
}

const stem = (word: string) => word.replace(/(?<=\w{3})(?:ing|ed|es|s)$/, '')

/** "In Oslo and in Paris" asks twice: once for each name. */
function askedFor({ schema }: Tool, ask: string): string[] {
  const strings = Object.values(schema.properties ?? {}).filter(
    ({ type, enum: choices }) => type === 'string' && !choices,
  )
  const found = names(ask)
  const isList = new RegExp(`${found.join('[^.]{0,20}\\band\\b[^.]{0,20}')}`).test(ask)
  if (strings.length === 0 || found.length < 2 || !isList) return [ask]
  return found.map((name) => `about ${name}`)
}

function answer(request: ModelRequest, ask: string, at: number, results: Message[]): string {
  const { messages, json } = request
  if (json) return JSON.stringify(fill(json.schema ?? { type: 'object', properties: {} }, ask))
  if (results.length > 0) return `This is what I found: ${results.map(({ text }) => text).join('; ')}`
  const told = [...messages].reverse().filter(({ role }) => role === 'system' || role === 'user')
  for (const { text } of told) {
    const exact =
      /\b(?:reply|respond|answer|say)\b[^.:"“\n]*?(?:exactly|only|just|with)[^:"“\n]*?[:"“]\s*["“]?([^"”\n]+)/i.exec(
        text,
      )
    if (exact) return exact[1].trim()
  }
  const count = /count (?:from )?(?:1|one) to (\d+)/i.exec(ask)
  if (count) return Array.from({ length: Math.min(2000, Number(count[1])) }, (_, place) => place + 1).join(', ')
  if ((messages[at]?.images ?? 0) > 0) return 'The image shows a small coloured shape.'
  return recalled(messages.slice(0, at), ask) ?? `You said: ${ask}`
}

/** The sentence said before that shares most with a question. */
function recalled(earlier: Message[], ask: string): string | undefined {
  if (!ask.includes('?')) return undefined
  const asked = new Set(wordsIn(ask))
  const sentences = earlier
    .filter(({ role }) => role === 'user')
    .flatMap(({ text }) => text.split(/(?<=[.!?])\s+/))
    .map((sentence) => ({ sentence, score: wordsIn(sentence).filter((word) => asked.has(word)).length }))
    .filter(({ score }) => score > 0)
    .sort((one, other) => other.score - one.score)
  return sentences[0]?.sentence
}

function stopped(text: string, stop: string[] = []): string {
  const ends = stop.map((word) => text.indexOf(word)).filter((place) => place >= 0)
  return text.slice(0, Math.min(text.length, ...ends))
}

/** No more than it may say. */
function cut(text: string, maxTokens: number | undefined): ModelReply {
  if (maxTokens === undefined || tokensOf(text) <= maxTokens) return { text }
  return { text: text.slice(0, maxTokens * 4), isCut: true }
}
