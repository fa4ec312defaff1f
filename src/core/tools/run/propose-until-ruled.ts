import { Failure } from '../../errors.js'
import { doTheSame } from '../../vault/index.js'
import { checkStillThere } from '../find-tool.js'
import type { ProposedCall, Ruling } from '../guard.js'
import { parseInput } from '../input/index.js'
import type { RegisteredTool } from '../registry.js'
import type { Notice } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import { fingerprint } from './fingerprint.js'
import { proposeCall } from './propose-call.js'
import { watchedVault } from './provenance-of.js'
import type { RunningCall } from './running-call.js'
import { usualLimitMs, withinLimit } from './within-limit.js'

type FinalRuling = Exclude<Ruling, { verdict: 'revise' }>

/**
 * Asks until what is ruled on is what the person wants: edited arguments are understood and ruled on like new ones. What
 * depends on the whole vault is planned again after the person's yes, and shown again where it is no longer the same.
 */
export async function proposeUntilRuled(
  running: RunningCall,
  registered: RegisteredTool,
  given: unknown,
  context: ToolContext,
): Promise<[ProposedCall, FinalRuling]> {
  const { setup } = running
  let revision: Revision = { input: given, edited: false }
  let proposed = await propose(running, registered, revision, context)
  for (let changes = 0; changes <= mostChanges; ) {
    const planned = proposed.plan && fingerprint(proposed.plan.changes)
    const ruling = await setup.guard.rule(proposed, setup.context)
    context.signal.throwIfAborted()
    if (proposed.plan && fingerprint(proposed.plan.changes) !== planned) throw altered()
    if (ruling.verdict === 'revise') {
      const { input, touchesHidden } = ruling
      revision = touchesHidden
        ? { ...revision, touchesHidden }
        : { ...revision, input: parseInput(registered.tool, input), edited: true }
      proposed = await propose(running, registered, revision, context)
      continue
    }
    const wasAsked = ruling.verdict === 'allow' && ruling.decision !== 'allowed'
    if (!wasAsked || !proposed.plan?.isAboutWholeVault) return [proposed, ruling]
    const now = await propose(running, registered, revision, context)
    if (now.plan && doTheSame(now.plan.changes, proposed.plan.changes)) return [proposed, ruling]
    changes++
    proposed = now.plan
      ? { ...now, plan: { ...now.plan, notices: [grownMeanwhile, ...(now.plan.notices ?? [])] } }
      : now
  }
  throw new Failure('conflict', 'The vault keeps changing while you are asked, so nothing was done.', {
    hint: 'Try it again when other programs have finished writing.',
  })
}

/** What the person has made of a call. */
interface Revision {
  input: unknown
  edited: boolean
  touchesHidden?: true
}

/** So often a person is shown what a plan has become, before it is given up. */
const mostChanges = 5

const grownMeanwhile: Notice = {
  kind: 'links',
  text: 'The vault has changed since you were asked: this is what would be done now.',
}

export async function propose(
  running: RunningCall,
  registered: RegisteredTool,
  { input, edited, touchesHidden }: Revision,
  context: ToolContext,
): Promise<ProposedCall> {
  const { call, setup } = running
  const { name, timeoutMs = usualLimitMs } = registered.tool
  const vault = watchedVault(context.vault, running.read)
  const proposed = await withinLimit(name, timeoutMs, context.signal, (signal) =>
    proposeCall(call, registered, input, edited, {
      ...context,
      vault,
      signal,
      ...(touchesHidden && { touchesHidden }),
    }),
  )
  checkStillThere(registered, setup.registry)
  setup.onStep?.({ step: 'proposed', proposed })
  return proposed
}

export function altered(): Failure {
  return new Failure('conflict', 'The change was altered after it was shown, so it was refused.')
}
