import {
  askModel,
  type ModelRequest,
  type ReplyEvent,
  type ReplyFailed,
  type ReplyFinish,
} from '../../src/core/model/index.js'
import { type OpenModelOptions, openModel } from '../../src/core/providers/index.js'
import { plainFetch } from '../../src/hosts/node/plain-fetch.js'

export interface Taken {
  events: ReplyEvent[]
  text: string
  reasoning: string
  calls: Extract<ReplyEvent, { type: 'tool-call' }>['call'][]
  end: ReplyFinish | ReplyFailed
}

type Wishes = Partial<ModelRequest> & { open?: Partial<OpenModelOptions> }

/** Opens a model by name and takes one step, with waits too short to notice. */
export async function takeStep(
  name: string,
  environment: OpenModelOptions['environment'],
  wishes: Wishes = {},
): Promise<Taken> {
  const { open, ...step } = wishes
  const { model, profile } = await openModel(name, { environment, fetch: plainFetch, ...open })
  return gather(
    askModel(model, {
      messages: [{ role: 'user', content: 'hello' }],
      signal: new AbortController().signal,
      profile,
      ...step,
      settings: { retry: { firstWaitMs: 1 }, ...step.settings },
    }),
  )
}

export async function gather(step: AsyncIterable<ReplyEvent>): Promise<Taken> {
  const taken: Omit<Taken, 'end'> & { end?: Taken['end'] } = { events: [], text: '', reasoning: '', calls: [] }
  for await (const event of step) {
    taken.events.push(event)
    if (event.type === 'text-delta') taken.text += event.text
    if (event.type === 'reasoning-delta') taken.reasoning += event.text
    if (event.type === 'tool-call') taken.calls.push(event.call)
    // Calls of an interrupted reply do not count, as for every caller.
    if (event.type === 'failed') taken.calls = []
    if (event.type === 'finish' || event.type === 'failed') taken.end = event
  }
  if (taken.end === undefined) throw new Error('a step must end with finish or failed')
  return taken as Taken
}

export const searchTool = {
  name: 'search_notes',
  description: 'Find notes.',
  inputSchema: {
    type: 'object',
    properties: { query: { type: 'string' } },
    required: ['query'],
    additionalProperties: false,
  },
}
