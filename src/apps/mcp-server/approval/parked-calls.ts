import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Failure } from '../../../core/errors.js'
import type { ToolResult } from '../../../core/tools/index.js'
import type { Caller } from '../clients/caller.js'
import type { OpenPanel, PanelListener } from '../clients/client.js'
import { approvalForm } from './approval-form.js'
import { readAnswer } from './read-answer.js'

/** What goes to the client and comes back, signed: which call waits, and for which panel. Nothing in it is secret. */
interface ParkedState {
  call: string
  panel: string
}

/** A request as it came, and who made it. */
export interface CallRequest {
  /** Tool and arguments: whoever goes on with a call must ask for the same. */
  text: string
  context: ServerContext
  caller: Caller
}

/** What a call has come to, or what the person is to be asked first. */
export type CallOutcome = { done: ToolResult } | { asks: InputRequiredResult }

/** Calls of clients that cannot be sent a request: they are told what is asked, and ask again with the answer. */
export interface ParkedCalls {
  readonly codec: RequestStateCodec<ParkedState>
  /** Starts a call, or goes on with the one that the request names. */
  run(
    request: CallRequest,
    start: (listener: PanelListener, signal: AbortSignal) => Promise<ToolResult>,
  ): Promise<CallOutcome>
  close(): void
}

interface ParkedCall {
  text: string
  client: string
  abort: AbortController
  panels: PanelSlot
  result: Promise<ToolResult>
}

/** Longer than the desk waits: by then it has been decided, and nobody has come for the answer. */
const keptMs = 660_000
const mostParked = 200
const key = 'approval'

export function parkedCalls(): ParkedCalls {
  const parked = new Map<string, ParkedCall>()
  const codec = createRequestStateCodec<ParkedState>({ key: crypto.getRandomValues(new Uint8Array(32)) })

  function drop(id: string): void {
    parked.get(id)?.abort.abort(new Error('Nobody came for the answer.'))
    parked.delete(id)
  }

  function park({ text, caller }: CallRequest, start: Parameters<ParkedCalls['run']>[1]): string {
    const id = crypto.randomUUID()
    const abort = new AbortController()
    const panels = panelSlot()
    const result = start({ asked: panels.put }, abort.signal)
    // Whoever goes on with it hears of it then.
    result.catch(() => undefined)
    parked.set(id, { text, client: caller.name, abort, panels, result })
    setTimeout(() => drop(id), keptMs).unref?.()
    for (const oldest of parked.keys()) if (parked.size > mostParked) drop(oldest)
    return id
  }

  /** Waits until the call is done or asks something. */
  async function outcome(id: string, call: ParkedCall, { context, caller }: CallRequest): Promise<CallOutcome> {
    const { signal } = context.mcpReq
    const stop = () => drop(id)
    signal.addEventListener('abort', stop, { once: true })
    const came = await Promise.race([call.result, call.panels.next()]).finally(() =>
      signal.removeEventListener('abort', stop),
    )
    if (!('panel' in came)) {
      parked.delete(id)
      return { done: came }
    }
    const form = approvalForm(came.panel, caller)
    if (form === undefined) throw new Failure('denied', 'This cannot be asked here.')
    const requestState = await codec.mint({ call: id, panel: came.panel.id })
    return { asks: inputRequired({ inputRequests: { [key]: inputRequired.elicit(form) }, requestState }) }
  }

  /** The call that a request goes on with, and only as it was shown. */
  function parkedFor({ call: id, panel }: ParkedState, { text, caller }: CallRequest): ParkedCall {
    const call = parked.get(id)
    const shown = call?.panels.shown()
    if (call === undefined || call.client !== caller.name || (shown && shown.panel.id !== panel)) throw tooLate()
    if (call.text !== text) throw new Failure('denied', 'This is not the call that was shown, so nothing was done.')
    return call
  }

  return {
    codec,
    async run(request, start) {
      const { mcpReq } = request.context
      const state = mcpReq.requestState<ParkedState>()
      if (state === undefined) {
        const id = park(request, start)
        return outcome(id, parked.get(id)!, request)
      }
      const call = parkedFor(state, request)
      const reply = inputResponse(mcpReq.inputResponses, key)
      // Without a reply the same is asked again.
      const open = reply.kind === 'missing' ? undefined : call.panels.take()
      if (open !== undefined) {
        const answer = readAnswer(open.panel, reply.kind === 'elicit' ? reply : {})
        if (!open.answer(answer)) open.answer({ verdict: 'deny' })
      }
      return outcome(state.call, call, request)
    },
    close() {
      for (const id of [...parked.keys()]) drop(id)
    },
  }
}

/** Where one panel lies until somebody comes for it. */
interface PanelSlot {
  put(panel: OpenPanel): void
  next(): Promise<OpenPanel>
  shown(): OpenPanel | undefined
  /** Takes it out, to be answered once. */
  take(): OpenPanel | undefined
}

function panelSlot(): PanelSlot {
  let shown: OpenPanel | undefined
  let waiting: ((panel: OpenPanel) => void)[] = []
  return {
    put(panel) {
      shown = panel
      for (const tell of waiting.splice(0)) tell(panel)
    },
    next: () =>
      new Promise((resolve) => {
        if (shown !== undefined) resolve(shown)
        else waiting.push(resolve)
      }),
    shown: () => shown,
    take() {
      const taken = shown
      shown = undefined
      waiting = []
      return taken
    },
  }
}

const tooLate = (): Failure =>
  new Failure('denied', 'This approval is over: it was used, refused, or nobody answered in time.', {
    hint: 'Call the tool again to be asked anew.',
  })
