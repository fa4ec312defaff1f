import type { ServerContext } from '@modelcontextprotocol/server'
import type { Caller } from '../clients/caller.js'
import type { PanelListener } from '../clients/client.js'
import { approvalForm } from './approval-form.js'
import { readAnswer } from './read-answer.js'

/** A person may think about it for as long as the desk waits. */
const waitMs = 600_000

/** Puts each panel of a call before the person as a form, by a request to the client. Whatever comes back but a yes is a no. */
export function askByElicitation({ mcpReq }: ServerContext, caller: Caller): PanelListener {
  return {
    async asked({ panel, answer }, decided) {
      const form = approvalForm(panel, caller)
      if (form === undefined) return void answer({ verdict: 'deny' })
      try {
        const reply = await mcpReq.send(
          { method: 'elicitation/create', params: { ...form } },
          { timeout: waitMs, signal: decided, resetTimeoutOnProgress: true },
        )
        if (!answer(readAnswer(panel, reply))) answer({ verdict: 'deny' })
      } catch {
        // Gone, too late, or not what a client may answer.
        answer({ verdict: 'deny' })
      }
    },
  }
}
