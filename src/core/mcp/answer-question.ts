import type { ElicitResult } from '@modelcontextprotocol/client'
import type { Caller, ServerSetup } from './connect-server.js'
import { serverForm } from './server-form.js'

interface Asking {
  name: string
  ask: NonNullable<ServerSetup['ask']>
  /** Those whose calls are running. */
  callers: ReadonlySet<Caller>
}

/** Only the one whose call is running can be asked: nobody else would know what it is about. */
export async function answerQuestion(
  params: Parameters<typeof serverForm>[0] | { mode: 'url' },
  { name, ask, callers }: Asking,
): Promise<ElicitResult> {
  const sessions = new Set([...callers].map(({ session }) => session))
  const [caller] = callers
  if (sessions.size !== 1 || caller === undefined || params.mode === 'url') return { action: 'decline' }
  const form = serverForm(params)
  if (form === undefined) return { action: 'decline' }
  const { session, signal } = caller
  const letGo = [...callers].map(({ holdClock }) => holdClock?.())
  const asked = ask({ server: name, session, message: params.message, form }, signal)
  const reply = await asked.finally(() => {
    for (const each of letGo) each?.()
  })
  if (reply.kind === 'answered') return { action: 'accept', content: { ...reply.values } as ElicitResult['content'] }
  return { action: reply.kind === 'refused' ? 'decline' : 'cancel' }
}
