import type { LanguageModelV3StreamPart } from '../../model/index.js'

/** A call as far as its pieces have come. */
export interface GatheredCall {
  id: string
  index?: number
  /** Empty until it is known. */
  name: string
  text: string
  /** It has been told: what else comes for it is not part of it. */
  isOver?: boolean
}

/** A piece of a call, as OpenAI streams them and many others nearly do. */
export interface CallDelta {
  index?: number | null
  id?: string | null
  function?: { name?: string | null; arguments?: string | null } | null
}

/** A new index or a new id begins a new call; without either it is the last one's. */
export function* gatherCall(calls: GatheredCall[], delta: CallDelta): Generator<LanguageModelV3StreamPart> {
  const { index, id, function: made } = delta
  let call =
    index != null ? calls.find((one) => one.index === index) : id ? calls.find((one) => one.id === id) : calls.at(-1)
  if (call === undefined) {
    call = { id: freeId(calls, id), name: '', text: '', ...(index != null && { index }) }
    calls.push(call)
  }
  if (call.isOver) return
  let text = made?.arguments ?? ''
  call.text += text
  if (call.name === '') {
    if (!made?.name) return
    call.name = made.name
    text = call.text
    yield { type: 'tool-input-start', id: call.id, toolName: call.name }
  }
  if (text !== '') yield { type: 'tool-input-delta', id: call.id, delta: text }
}

function freeId(calls: readonly GatheredCall[], id: string | null | undefined): string {
  return id && !calls.some((call) => call.id === id) ? id : `call_${crypto.randomUUID()}`
}
