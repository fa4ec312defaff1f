import { Failure } from '../../../core/errors.js'
import type { OpenModelOptions } from '../../../core/providers/index.js'
import { estimateTokens } from '../../../core/text/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { agentOptions } from '../program/options.js'
import { type SessionFlags, withAgent } from '../session/open-session.js'
import { type Terminal, visibleLine } from '../terminal/terminal.js'

type SentRequest = Parameters<NonNullable<OpenModelOptions['intercept']>>[0]

export const declarePrompt: DeclareCommand = (command, run) => {
  command.argument('[question...]', 'your question or task').option('--note <note>', 'the note your question is about')
  agentOptions(command)
    .addHelpText(
      'after',
      examples(
        ['notewright prompt -m ollama/qwen3:8b "what feeds the soil?"'],
        ['notewright prompt -m openai/gpt-5 --json', 'the parts as JSON'],
        ['notewright prompt -c "and the beans?"', 'with the history of the last chat'],
      ),
    )
    .action((words: string[], options) => run((to) => prompt(to, words.join(' '), options)))
}

const sampleQuestion = 'What is in my notes?'

/** Runs a turn up to its first request, and shows the request in place of sending it. */
async function prompt(invocation: Invocation, words: string, options: SessionFlags & { note?: string }): Promise<void> {
  const { terminal, signal } = invocation
  const { note, ...flags } = options
  const text = words.trim() === '' ? sampleQuestion : words.trim()
  let sent: SentRequest | undefined
  let failure: string | undefined
  const stop = new AbortController()
  const intercept = (request: SentRequest): void => {
    sent ??= request
    stop.abort()
  }
  await withAgent(invocation, { ...flags, autoTitle: false, intercept }, async ({ session }) => {
    const { name, provider, window } = await session.model()
    if (provider === 'offline') {
      throw new Failure('invalid-input', 'Without a language model there is no prompt.', {
        hint: 'Name a model, for example: notewright prompt -m ollama/qwen3:8b',
      })
    }
    for await (const event of session.ask({ text, note }, AbortSignal.any([signal, stop.signal]))) {
      if (event.type === 'run-end') failure = event.failure?.text
    }
    signal.throwIfAborted()
    if (sent === undefined) throw new Failure('internal', failure ?? 'The model was not asked.')
    show(terminal, name, (await window?.())?.tokens, partsOf(sent))
  })
}

interface PromptPart {
  part: string
  tokens: number
  text: string
}

/** The parts of a request, in the order in which a model gets them. */
function partsOf({ prompt: messages, tools = [] }: SentRequest): PromptPart[] {
  const part = (name: string, text: string): PromptPart => ({ part: name, tokens: estimateTokens(text), text })
  const system = messages.filter(({ role }) => role === 'system').map((message) => part('system', textOf(message)))
  const others = messages.filter(({ role }) => role !== 'system')
  return [
    ...system,
    ...tools.map((tool) => part(`tool ${tool.name}`, JSON.stringify(tool))),
    ...others.map((message, at) =>
      part(at === others.length - 1 ? 'request' : `history: ${message.role}`, textOf(message)),
    ),
  ]
}

function textOf({ content }: SentRequest['prompt'][number]): string {
  if (typeof content === 'string') return content
  return content.map((piece) => (piece.type === 'text' ? piece.text : JSON.stringify(piece))).join('\n')
}

function show(terminal: Terminal, model: string, window: number | undefined, parts: readonly PromptPart[]): void {
  const tokens = parts.reduce((sum, each) => sum + each.tokens, 0)
  if (terminal.json) {
    terminal.printJson({ model, ...(window && { window }), tokens, parts })
    return
  }
  for (const { part, tokens: own, text } of parts) {
    terminal.print(terminal.style.strong(`── ${visibleLine(part)}, about ${own.toLocaleString('en')} tokens`))
    for (const line of text.split('\n')) terminal.print(visibleLine(line))
    terminal.print('')
  }
  const size = window === undefined ? '' : `, context window ${window.toLocaleString('en')}`
  terminal.print(
    `${visibleLine(model)}: about ${tokens.toLocaleString('en')} tokens in ${parts.length} parts${size}. Nothing was sent.`,
  )
}
