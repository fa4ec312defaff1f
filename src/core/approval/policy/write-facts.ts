import type { ProposedCall, ToolContext } from '../../tools/index.js'
import type { TypedWords } from '../leaving/index.js'
import { addedAddresses, audienceChanges, changedTexts, setToLookAt } from '../writes/index.js'
import type { Facts } from './call-facts.js'
import type { Taint } from './taint.js'

type WriteFacts = Pick<Facts, 'loads' | 'audience' | 'isLarge'>
const nothing: WriteFacts = { loads: [], audience: [], isLarge: false }

/** Characters by which a note may grow before a remembered decision no longer covers it: some eight pages. */
const largest = 16 * 1024

/** What the text says that a call would write: whatever the tool, it is the bytes that count. */
export async function writeFacts(
  proposed: ProposedCall,
  sources: { context: Pick<ToolContext, 'vault'>; conversation: Taint; typed: TypedWords },
): Promise<WriteFacts> {
  const set = setToLookAt(proposed)
  if (set === undefined || set.changes.length === 0) return nothing
  const { context, conversation, typed } = sources
  const texts = await changedTexts(set, context.vault)
  // What the person typed can be written and gives nothing away, unless somebody else may have got at their notes.
  const isMeant = (url: string) => !conversation.isTainted() && typed.hasAddress(url)
  const loads = texts.flatMap(({ path, before = '', after }) =>
    addedAddresses(path, before, after).map((loaded) => ({ path, ...loaded })),
  )
  return {
    loads: conversation.isEmpty() ? [] : loads.filter(({ url }) => !isMeant(url)),
    audience: texts.flatMap(audienceChanges),
    isLarge: texts.some(({ before = '', after }) => after.length - before.length > largest),
  }
}
