import {
  createRequestStateCodec,
  type InputRequiredResult,
  inputRequired,
  inputResponse,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { Failure } from '../../core/errors.js'
import type { ToolResult } from '../../core/tools/index.js'
import { approvalForm, readAnswer } from './approval-form.js'
import type { SendLog } from './client-log.js'
import type { Caller, PendingApproval, PendingApprovalListener } from './clients.js'

/** Equals the approval queue's timeout. */
const formTimeoutMs = 600_000

/** Sends each approval request of a call to the client as a form. Any reply other than an approval denies it. */
export function askByElicitation({ mcpReq }: ServerContext, caller: Caller): PendingApprovalListener {
  return {
    async onPanel({ panel, answer }, decided) {
      const form = approvalForm(panel, caller)
      if (form === undefined) return void answer({ verdict: 'deny' })
      try {
        const reply = await mcpReq.send(
          { method: 'elicitation/create', params: { ...form } },
          { timeout: formTimeoutMs, signal: decided, resetTimeoutOnProgress: true },
        )
        if (!answer(readAnswer(panel, reply))) answer({ verdict: 'deny' })
      } catch {
        // The client has disconnected, was too late, or sent an invalid reply.
        answer({ verdict: 'deny' })
      }
    },
  }
}

/** Interval of progress notifications while a call waits. */
const remindMs = 10_000

const approvalPlaces = "Notewright's page (notewright web) or in a terminal: notewright approvals"

/**
 * For clients whose forms do not count as the user's answer: the call waits in the vault's approval queue, and can be
 * answered in any front end. The client is told where, and the outcome.
 */
export function waitInQueue({ mcpReq }: ServerContext, send: SendLog) {
  let expiredMs: number | undefined
  const progressToken = mcpReq._meta?.progressToken

  const listener: PendingApprovalListener = {
    onPanel({ panel }, decided) {
      const startedAt = Date.now()
      const waitMs = panel.expiresAt - startedAt
      const message = `Waiting up to ${formatDuration(waitMs)} for approval in ${approvalPlaces}`
      send('notice', { message })
      const remind = () => {
        if (progressToken === undefined) return
        const progress = (Date.now() - startedAt) / 1000
        mcpReq
          .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
          // The client has disconnected.
          .catch(() => {})
      }
      remind()
      const reminding = setInterval(remind, remindMs)
      reminding.unref?.()
      decided.addEventListener('abort', () => {
        clearInterval(reminding)
        if (decided.reason === 'expired') expiredMs = waitMs
      })
    },
  }

  return {
    listener,
    /** Adds to the result where the request waited, if it expired. */
    explain(result: ToolResult): ToolResult {
      if (result.ok || expiredMs === undefined) return result
      const hint = `No answer within ${formatDuration(expiredMs)}. Approve requests in ${approvalPlaces}`
      const reason = "Not done: this call needs the user's approval."
      const { modelHint: _, ...failed } = result
      return { ...failed, text: `${reason} ${hint}`, reason, hint }
    },
  }
}

function formatDuration(ms: number): string {
  const [amount, unit] = ms < 60_000 ? [Math.ceil(ms / 1000), 'second'] : [Math.round(ms / 60_000), 'minute']
  return `${amount} ${unit}${amount === 1 ? '' : 's'}`
}

/** Sent to the client and back, signed: the waiting call and the approval request shown. Not secret. */
interface ParkedState {
  call: string
  panel: string
}

/** A request and its caller. */
interface CallRequest {
  /** Tool and arguments. A request that continues a call must have the same. */
  text: string
  context: ServerContext
  caller: Caller
}

/** The result of a call, or the form the user must answer first. */
export type CallAnswer = { done: ToolResult } | { asks: InputRequiredResult }

export type PausedCalls = ReturnType<typeof pausedCalls>

type StartCall = (listener: PendingApprovalListener, signal: AbortSignal) => Promise<ToolResult>

interface ParkedCall {
  text: string
  client: string
  abort: AbortController
  panels: ReturnType<typeof panelSlot>
  result: Promise<ToolResult>
}

/** Longer than the approval queue's timeout: by then the request is decided, and the result was not fetched. */
const parkedMs = 660_000
const maxParked = 200
const formKey = 'approval'

/**
 * For clients that cannot be sent requests: they get the form as the result of the call, and send the answer with a
 * second request, while the call waits.
 */
export function pausedCalls() {
  const parked = new Map<string, ParkedCall>()
  const codec = createRequestStateCodec<ParkedState>({ key: crypto.getRandomValues(new Uint8Array(32)) })

  function drop(id: string): void {
    parked.get(id)?.abort.abort(new Error('The client did not fetch the answer.'))
    parked.delete(id)
  }

  function park({ text, caller }: CallRequest, start: StartCall): [id: string, call: ParkedCall] {
    const id = crypto.randomUUID()
    const abort = new AbortController()
    const panels = panelSlot()
    const result = start({ onPanel: panels.put }, abort.signal)
    // The request that waits for the result reports its failure.
    result.catch(() => undefined)
    const call: ParkedCall = { text, client: caller.name, abort, panels, result }
    parked.set(id, call)
    setTimeout(() => drop(id), parkedMs).unref?.()
    for (const oldest of parked.keys()) if (parked.size > maxParked) drop(oldest)
    return [id, call]
  }

  /** Waits until the call is done or needs an approval. */
  async function outcome(id: string, call: ParkedCall, { context, caller }: CallRequest): Promise<CallAnswer> {
    const { signal } = context.mcpReq
    const stop = () => drop(id)
    signal.addEventListener('abort', stop, { once: true })
    const next = await Promise.race([call.result, call.panels.next()]).finally(() =>
      signal.removeEventListener('abort', stop),
    )
    if (!('panel' in next)) {
      parked.delete(id)
      return { done: next }
    }
    const form = approvalForm(next.panel, caller)
    if (form === undefined) throw new Failure('denied', "This request can't be shown here.")
    const requestState = await codec.mint({ call: id, panel: next.panel.id })
    return { asks: inputRequired({ inputRequests: { [formKey]: inputRequired.elicit(form) }, requestState }) }
  }

  /** The call that a request continues: with the same arguments, and the approval request that was shown. */
  function parkedFor({ call: id, panel }: ParkedState, { text, caller }: CallRequest): ParkedCall {
    const call = parked.get(id)
    const shown = call?.panels.shown()
    if (call === undefined || call.client !== caller.name || (shown && shown.panel.id !== panel)) throw approvalOver()
    if (call.text !== text) throw new Failure('denied', 'This call differs from the one shown, so it was not run.')
    return call
  }

  return {
    codec,
    /** Starts a call, or continues the one named by the request. */
    async run(request: CallRequest, start: StartCall): Promise<CallAnswer> {
      const { mcpReq } = request.context
      const state = mcpReq.requestState<ParkedState>()
      if (state === undefined) {
        const [id, call] = park(request, start)
        return outcome(id, call, request)
      }
      const call = parkedFor(state, request)
      const reply = inputResponse(mcpReq.inputResponses, formKey)
      // Without a reply, the same form is sent again.
      const open = reply.kind === 'missing' ? undefined : call.panels.take()
      if (open !== undefined) {
        const answer = readAnswer(open.panel, reply.kind === 'elicit' ? reply : {})
        if (!open.answer(answer)) open.answer({ verdict: 'deny' })
      }
      return outcome(state.call, call, request)
    },
    close(): void {
      for (const id of [...parked.keys()]) drop(id)
    },
  }
}

/** Holds one pending approval until the client's next request. */
function panelSlot() {
  let shown: PendingApproval | undefined
  let waiting: ((panel: PendingApproval) => void)[] = []
  return {
    put(panel: PendingApproval): void {
      shown = panel
      for (const resolve of waiting.splice(0)) resolve(panel)
    },
    next: (): Promise<PendingApproval> =>
      new Promise((resolve) => {
        if (shown !== undefined) resolve(shown)
        else waiting.push(resolve)
      }),
    shown: (): PendingApproval | undefined => shown,
    /** Removes the approval, so that it is answered once. */
    take(): PendingApproval | undefined {
      const taken = shown
      shown = undefined
      waiting = []
      return taken
    },
  }
}

const approvalOver = (): Failure =>
  new Failure('denied', 'This approval is no longer valid: it was used, denied or expired.', {
    hint: 'Call the tool again to send a new request.',
  })
