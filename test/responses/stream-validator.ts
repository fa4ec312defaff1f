import { expect } from 'vitest'

/**
 * Checks a stream of Responses events as a strict client would: numbers increase by one, the response follows its state
 * machine, every item and part is opened and closed once with matching text, and the final response is the sum of the
 * stream. The rules are those of the Open Responses specification (streaming, state machines); the test suite of that
 * project does not check the order.
 */

interface Event {
  type: string
  sequence_number: number
  [field: string]: unknown
}

// biome-ignore lint/suspicious/noExplicitAny: events as a client sees them, checked field by field
type Any = any

export function validateStream(events: readonly Event[]): Any {
  const state: State = { phase: 'idle', items: [], errors: [] }
  events.forEach((event, at) => {
    check(state, event.sequence_number === at, `${event.type} has the number ${event.sequence_number}, not ${at}`)
    check(state, state.phase !== 'over', `${event.type} after the end`)
    see(state, event)
  })
  check(state, state.phase === 'over', 'the stream ends without a final response')
  expect(state.errors).toEqual([])
  return state.final
}

interface OpenItem {
  item: Any
  isDone: boolean
  /** Text of the open part, or arguments. */
  text: string
  part?: 'open' | 'done'
  isTextDone: boolean
  annotations: Any[]
}

interface State {
  phase: 'idle' | 'created' | 'in progress' | 'over'
  items: OpenItem[]
  errors: string[]
  id?: string
  final?: Any
  hasError?: boolean
}

const fields =
  'id object created_at completed_at status incomplete_details model previous_response_id instructions output error tools tool_choice truncation parallel_tool_calls text top_p presence_penalty frequency_penalty top_logprobs temperature reasoning usage max_output_tokens max_tool_calls store background service_tier metadata safety_identifier prompt_cache_key'.split(
    ' ',
  )

function check(state: State, isRight: boolean, message: string): void {
  if (!isRight) state.errors.push(message)
}

function see(state: State, event: Event): void {
  const type = event.type.replace(/^response\./, '')
  switch (type) {
    case 'created':
      check(state, state.phase === 'idle', 'created twice')
      state.phase = 'created'
      seeResponse(state, event.response, 'in_progress')
      return
    case 'in_progress':
      check(state, state.phase === 'created', 'in_progress before created')
      state.phase = 'in progress'
      seeResponse(state, event.response, 'in_progress')
      return
    case 'completed':
    case 'failed':
    case 'incomplete':
      seeEnd(state, event.response, type)
      return
    case 'error':
      state.hasError = true
      return
    case 'output_item.added':
      addItem(state, event)
      return
    default:
      seeItem(state, type, event)
  }
}

function seeResponse(state: State, response: Any, status: string): void {
  state.id ??= response.id
  check(state, response.id === state.id, 'the identity of the response changed')
  check(state, response.status === status, `the status is ${response.status}, not ${status}`)
  const missing = fields.filter((field) => response[field] === undefined)
  check(state, missing.length === 0, `fields are missing: ${missing}`)
  check(state, Object.keys(response).length === fields.length, `fields too many: ${Object.keys(response)}`)
}

function addItem(state: State, { output_index, item }: Any): void {
  check(state, state.phase === 'in progress', 'an item before in_progress')
  check(state, output_index === state.items.length, `item ${output_index} comes as number ${state.items.length}`)
  check(
    state,
    state.items.every(({ isDone }) => isDone),
    'an item begins before the last one is done',
  )
  check(
    state,
    state.items.every((other) => other.item.id !== item.id),
    `two items have the id ${item.id}`,
  )
  if (item.type === 'message') {
    check(state, item.status === 'in_progress' && item.content.length === 0, 'a message does not begin empty')
  }
  if (item.type === 'function_call') {
    check(state, item.status === 'in_progress' && item.arguments === '', 'a call does not begin empty')
    check(state, item.id !== item.call_id && item.id.startsWith('fc_'), 'a call needs two ids')
    const others = state.items.filter(({ item: other }) => other.call_id === item.call_id)
    check(state, others.length === 0, `two calls have the id ${item.call_id}`)
  }
  if (item.type === 'reasoning') check(state, item.summary.length === 0, 'reasoning does not begin empty')
  state.items.push({ item, isDone: false, text: '', isTextDone: false, annotations: [] })
}

function seeItem(state: State, type: string, event: Any): void {
  const open = state.items[event.output_index]
  if (open === undefined || open.isDone) {
    check(state, false, `${type} of an item that is not open`)
    return
  }
  if (type === 'output_item.done') {
    closeItem(state, open, event.item)
    return
  }
  check(state, event.item_id === open.item.id, `${type} names another item`)
  const kind = open.item.type
  const [part, text] =
    kind === 'message'
      ? ['content_part', 'output_text']
      : kind === 'reasoning'
        ? ['reasoning_summary_part', 'reasoning_summary_text']
        : ['', 'function_call_arguments']
  const needsPart = part !== ''
  switch (type) {
    case `${part}.added`:
      check(state, open.part === undefined && event.part.text === '', 'a part does not begin empty')
      open.part = 'open'
      return
    case `${text}.delta`:
      check(state, !needsPart || open.part === 'open', 'words outside of a part')
      check(state, !open.isTextDone && event.delta !== '', 'words after their end, or none')
      open.text += event.delta
      return
    case `${text}.done`:
      check(state, !open.isTextDone, 'words end twice')
      check(state, (event.text ?? event.arguments) === open.text, 'the words at the end are not those that came')
      open.isTextDone = true
      return
    case `${part}.done`:
      check(state, open.part === 'open' && open.isTextDone, 'a part ends before its words')
      check(state, event.part.text === open.text, 'the part is not what came')
      open.part = 'done'
      return
    case 'output_text.annotation.added':
      check(state, event.annotation_index === open.annotations.length, 'annotations out of order')
      open.annotations.push(event.annotation)
      return
    default:
      check(state, false, `${type} does not belong to a ${kind}`)
  }
}

function closeItem(state: State, open: OpenItem, item: Any): void {
  open.isDone = true
  check(state, item.id === open.item.id, 'an item changed its id')
  if (item.type === 'message') {
    check(state, open.part === 'done', 'a message ends before its part')
    const content = [{ type: 'output_text', text: open.text, annotations: open.annotations, logprobs: [] }]
    check(state, same(item.content, content), 'a message is not what came')
  } else if (item.type === 'reasoning') {
    check(state, open.part === 'done' && item.summary[0].text === open.text, 'reasoning is not what came')
  } else if (item.type === 'function_call') {
    check(state, open.isTextDone && item.arguments === open.text, 'the arguments are not those that came')
    check(state, item.call_id === open.item.call_id && item.name === open.item.name, 'a call changed')
  } else
    check(state, /^[a-z]+:/.test(item.type) && same(item, open.item), 'an item beyond the standard without a prefix')
  open.item = item
}

function seeEnd(state: State, response: Any, status: string): void {
  check(state, state.phase === 'in progress', `${status} before in_progress`)
  check(
    state,
    state.items.every(({ isDone }) => isDone),
    'an item is still open at the end',
  )
  check(state, status !== 'failed' || state.hasError === true, 'failed without an error before')
  const cut = state.items.findIndex(({ item }) => item.status === 'incomplete')
  check(
    state,
    cut === -1 || (cut === state.items.length - 1 && status !== 'completed'),
    'an item was cut in the middle',
  )
  seeResponse(state, response, status)
  const output = state.items.map(({ item }) => item)
  check(state, same(response.output, output), 'the final output is not what the stream added up to')
  state.phase = 'over'
  state.final = response
}

const same = (one: unknown, other: unknown): boolean => JSON.stringify(one) === JSON.stringify(other)

/** Parses server-sent events: the name of each is its type, and the last line is [DONE]. */
export function eventsIn(body: string): Event[] {
  const blocks = body.split('\n\n').filter((block) => block !== '')
  expect(blocks.at(-1)).toBe('data: [DONE]')
  return blocks.slice(0, -1).map((block) => {
    const [name, data, ...rest] = block.split('\n')
    expect(rest).toEqual([])
    const event = JSON.parse(data.replace(/^data: /, ''))
    expect(name).toBe(`event: ${event.type}`)
    return event
  })
}
