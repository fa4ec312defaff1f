import { base64 } from '../../files/index.js'
import type { OutgoingRequest } from '../../providers/index.js'
import { notePath } from '../../vault/index.js'
import type { SessionParts } from '../session-parts.js'
import { notesSent } from './notes-sent.js'

/** Writes down that a request to a model is about to leave, and whose text is in it. */
export async function logRequest(
  { id, turn, guard, vault, host, files }: SessionParts,
  { body, ...request }: OutgoingRequest,
): Promise<void> {
  // What the vault asks for stands in every prompt, without a tool having read it.
  const candidates = new Set([...guard.memory().read, notePath('AGENTS.md')])
  const notes = await notesSent(body, candidates, vault.notebook.vault)
  const given = [...files.values()].flatMap(({ name, bytes }) => (body.includes(base64(bytes)) ? [name] : []))
  await host.log.sending({
    time: host.clock.now().toISOString(),
    session: id,
    ...(turn && { turn }),
    ...request,
    notes,
    ...(given.length > 0 && { files: given }),
  })
}
