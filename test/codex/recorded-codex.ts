import { readFileSync } from 'node:fs'
import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { askModel, type ModelMessage, type ReplyEvent } from '../../src/core/model/index.js'
import { approvedPrograms } from '../../src/hosts/node/approved-programs.js'
import { codexProgram, openCodex } from '../../src/hosts/node/codex/open-codex.js'

/**
 * Recorded messages between the real binaries (`@openai/codex` 0.166.0 and 0.89.0, see the names) and us, line by line,
 * with a scripted model behind Codex. Paths and the names of servers are changed; times and unread fields are left out.
 */
export type Recording =
  | 'two-calls-0.166'
  | 'code-mode-0.166'
  | 'broken-arguments-0.166'
  | 'rate-limit-0.166'
  | 'cut-0.166'
  | 'cancelled-0.166'
  | 'text-call-0.89'
  | 'view-image-0.89'

const folder = new URL('.', import.meta.url).pathname

interface Heard {
  method?: string
  id?: number
  params?: Record<string, unknown>
  result?: unknown
}

export interface RecordedCodex {
  model: Awaited<ReturnType<typeof openCodex>>
  /** Messages that Codex has received from us so far. */
  heard(): Heard[]
  /** Ends the process as a crash would. */
  kill(): void
  /** The environment its process was given. */
  environment(): Record<string, string>
}

/** As if the user had approved this Codex. */
export async function openApprovedCodex(...[modelId, place]: Parameters<typeof openCodex>) {
  await approvedPrograms(place.state).approve(await codexProgram(place))
  return openCodex(modelId, place)
}

export async function recordedCodex(
  recording: Recording,
  environment: Record<string, string> = {},
): Promise<RecordedCodex> {
  const state = await mkdtemp(join(tmpdir(), 'notewright-codex-'))
  const file = join(state, 'heard.jsonl')
  const own = { RECORDING: join(folder, 'recordings', `${recording}.jsonl`), HEARD: file, ...environment }
  const place = {
    environment: { PATH: process.env.PATH, HOME: '/home/ada', OPENAI_API_KEY: 'sk-not-for-codex', ...own },
    state,
    settings: { path: join(folder, 'app-server.mjs'), tools: [], environment: Object.keys(own) },
  }
  const model = await openApprovedCodex('fake-model', place)
  const started = () => JSON.parse(readFileSync(`${file}.process`, 'utf8'))
  return {
    model,
    kill: () => void process.kill(started().pid, 'SIGKILL'),
    environment: () => started().environment,
    heard: () =>
      readFileSync(file, 'utf8')
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line) as Heard),
  }
}

export const searchTool = {
  name: 'search_notes',
  description: 'Search notes',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
}

/** Puts a conversation to a model and answers each call with what it asked for, until nothing is called. */
export async function converse(
  model: RecordedCodex['model'],
  messages: ModelMessage[],
  signal = new AbortController().signal,
): Promise<ReplyEvent[]> {
  const events: ReplyEvent[] = []
  const request = { system: 'You are a note agent.', tools: [searchTool], signal, settings: { retry: { attempts: 1 } } }
  for (let said = messages; ; ) {
    const reply: ReplyEvent[] = []
    for await (const event of askModel(model, { ...request, messages: said })) reply.push(event)
    events.push(...reply)
    const calls = reply.flatMap((event) => (event.type === 'tool-call' ? [event.call] : []))
    const end = reply.at(-1)
    if (end?.type !== 'finish' || calls.length === 0) return events
    const results = calls.map(({ id, name, input }) => ({
      type: 'tool-result' as const,
      toolCallId: id,
      toolName: name,
      output: { type: 'text' as const, value: `found ${JSON.stringify(input)}` },
    }))
    said = [...said, end.message as ModelMessage, { role: 'tool', content: results }]
  }
}

export const afterGreeting = (text: string): ModelMessage[] => [
  { role: 'user', content: 'earlier' },
  { role: 'assistant', content: 'ok' },
  { role: 'user', content: text },
]

export function textOf(events: readonly ReplyEvent[]): string {
  return events.map((event) => (event.type === 'text-delta' ? event.text : '')).join('')
}
