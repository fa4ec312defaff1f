import { describe, expect, it } from 'vitest'
import { openReader, textDialect, withDialect } from '../../src/core/dialects/index.js'
import { askModel, defaultProfile, type LanguageModelV3, type ReplyCall } from '../../src/core/model/index.js'
import { finishPart } from '../doubles/replaying-model.js'
import { howOften } from '../runner/how-often.js'
import { toolcallCases } from './cases.js'
import { cutAtRandom, randomNumbers } from './cuttings.js'
import { optionsOf, type ToolcallCase } from './toolcall-case.js'

/** Every piece goes through three streams, so that `npm test` cuts long replies less often. */
const cuttingsOf = (text: string): number => howOften(text.length < 400 ? 20 : text.length < 20_000 ? 3 : 1, 200)

/** Says these pieces, whatever it is asked. */
function says(pieces: readonly string[]): LanguageModelV3 {
  return {
    specificationVersion: 'v3',
    provider: 'pieces',
    modelId: 'pieces',
    supportedUrls: {},
    doGenerate: async () =>
      ({ ...finishPart(), content: [{ type: 'text', text: pieces.join('') }], warnings: [] }) as never,
    doStream: async () => ({
      stream: new ReadableStream({
        start(controller) {
          for (const delta of pieces) controller.enqueue({ type: 'text-delta', id: '0', delta })
          controller.enqueue(finishPart())
          controller.close()
        },
      }),
    }),
  }
}

/** The calls of a reply as a caller of a text dialect gets them. */
async function callsIn(example: ToolcallCase, pieces: readonly string[]): Promise<ReplyCall[]> {
  const { tools, format } = optionsOf(example)
  const dialect = { ...textDialect('sentinel'), open: (options: object) => openReader({ tools, ...options, format }) }
  const profile = { ...defaultProfile, startsInReasoning: example.starts_in_reasoning === true }
  const model = withDialect(says(pieces), { dialect, profile })
  const offered = tools.map((tool) => ({ ...tool, description: '', inputSchema: { ...tool.inputSchema } }))
  const { signal } = new AbortController()
  const calls: ReplyCall[] = []
  const request = { messages: [{ role: 'user' as const, content: 'go' }], tools: offered, profile, signal }
  for await (const event of askModel(model, request)) if (event.type === 'tool-call') calls.push(event.call)
  return calls
}

/** Pieces of the reply that stand there for JSON: as they are, or inside a string. */
function isOwnText(text: string, reply: string): boolean {
  if (reply.includes(text)) return true
  const strings = reply.match(/"(?:[^"\\]|\\.)*"/g) ?? []
  return strings.some((one) => decoded(one) === text)
}

function decoded(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Formats that write no JSON, or only for a part: what is meant is written out as JSON then. */
const otherForms =
  /^(use_tool_tags|qwen3_coder|glm4|pythonic|olmo3|lfm2|deepseek_v(32|4)_dsml|minimax|anthropic|gemma4|functiongemma|hunyuan_v3|kimi_k3|tool_tag|any)/
/** A comma too many, raw line breaks, Python's words and escapes: read, but not JSON. */
const looseJson = ['tc-sentinel-13', 'tc-sentinel-14', 'tc-sentinel-15', 'fam-escapes-01']

const cases = toolcallCases.filter(({ expected }) => expected.length > 0)

describe('the arguments of a call in text are those that the model wrote', () => {
  it.each(cases)(
    '$id',
    async (example) => {
      const { text, tools, expected, format, id } = example
      const whole = await callsIn(example, [text])
      const made = whole.filter(({ name, error }) => !error && tools.some((tool) => tool.name === name))
      expect(made.map(({ input }) => input)).toEqual(expected.map((call) => call.arguments))
      for (const { argumentsText } of made) {
        const isWritten = isOwnText(argumentsText, text) || argumentsText === '{}'
        if (!otherForms.test(format) && !looseJson.includes(id)) expect(isWritten, argumentsText).toBe(true)
        else if (!isWritten) expect(argumentsText).toBe(JSON.stringify(JSON.parse(argumentsText)))
      }
      const random = randomNumbers(id)
      const cut = Array.from({ length: cuttingsOf(text) }, () => cutAtRandom(text, random))
      for (const pieces of text.length < 100_000 ? [text.split(''), ...cut] : cut) {
        const calls = await callsIn(example, pieces)
        expect(calls.map(({ argumentsText, name }) => [name, argumentsText])).toEqual(
          whole.map(({ argumentsText, name }) => [name, argumentsText]),
        )
      }
    },
    600_000,
  )
})
