import { Failure, failureData } from '../../errors.js'
import {
  type AppliedChangeSet,
  type ChangeSet,
  doTheSame,
  hashBytes,
  type NotePath,
  plannedChanges,
} from '../../vault/index.js'
import { cutText } from '../answer/index.js'
import { checkStillThere, findTool } from '../find-tool.js'
import type { Decision, Guard, ProposedCall, Ruling } from '../guard.js'
import { parseInput } from '../input/index.js'
import type { RegisteredTool, Registry } from '../registry.js'
import type { Notice, Plan } from '../tool.js'
import type { ToolContext } from '../tool-context.js'
import type { LogIntent, LogOutcome, ToolLog } from '../tool-log.js'
import { fingerprint } from './fingerprint.js'
import { proposeCall } from './propose-call.js'
import { type Origin, provenanceOf, provenanceOfFailure, watchedVault } from './provenance-of.js'
import type { FailedCall, ToolCall, ToolResult } from './tool-call.js'
import { withinLimit } from './within-limit.js'

export interface ToolSetup {
  registry: Registry
  /** Names of the tools that are on; a call to any other is a call to an unknown tool. */
  offered?: ReadonlySet<string>
  context: ToolContext
  guard: Guard
  log: ToolLog
  /** The only way to write. */
  apply(changes: ChangeSet): Promise<AppliedChangeSet>
  /** Show what would happen, and do none of it. */
  dryRun?: boolean
  /** Told of every step, for a person who wants to look over our shoulder. */
  onStep?(step: ToolStep): void
}

export type ToolStep =
  /** A model asked for so many calls at once. */
  | { step: 'requested'; calls: number }
  | { step: 'proposed'; proposed: ProposedCall }
  | { step: 'ruled'; proposed: ProposedCall; ruling: Exclude<Ruling, { verdict: 'revise' }> }
  /** `error`: what really went wrong, for the person and the log; a bug's stack is here and nowhere else. */
  | { step: 'ended'; result: ToolResult; error?: unknown }

const defaultLimitMs = 30_000

/** Find, check, decide, ask, log, run, log. The one way to a tool, and the one place where its failure becomes words. */
export async function runTool(call: ToolCall, setup: ToolSetup): Promise<ToolResult> {
  const running: Running = { call, setup, startedAt: performance.now(), read: new Set(), hasRun: false }
  const result = await attempt(running)
  setup.onStep?.({ step: 'ended', result, ...(!result.ok && { error: running.error }) })
  return result
}

interface Running {
  call: ToolCall
  setup: ToolSetup
  startedAt: number
  logId?: string
  found?: RegisteredTool
  /** Notes whose text it has seen, as long as a failure may speak of them. */
  read: Set<NotePath>
  hasRun: boolean
  error?: unknown
}

async function attempt(running: Running): Promise<ToolResult> {
  const { call, setup } = running
  try {
    const found = findTool(setup.registry, call, setup.offered)
    if (call.refused !== undefined) throw new Failure('invalid-input', call.refused)
    running.found = found.registered
    const context = setup.guard.screen(setup.context)
    const input = parseInput(found.registered.tool, found.input)
    if (setup.dryRun && !isRead(found.registered)) return await rehearse(running, found.registered, input, context)
    const [proposed, ruling] = await proposeUntilRuled(running, found.registered, input, context)
    const approved = ruling.verdict === 'allow' ? changesOf(proposed, ruling) : undefined
    const print = approved && fingerprint(approved)
    setup.onStep?.({ step: 'ruled', proposed, ruling })
    if (ruling.verdict === 'deny') return await deny(running, proposed, ruling)
    checkStillThere(found.registered, setup.registry)
    await logIntent(running, proposed, ruling.decision, ruling.rule, ruling.changes)
    checkStillThere(found.registered, setup.registry)
    if (approved && (changesOf(proposed, ruling) !== approved || fingerprint(approved) !== print)) throw altered()
    return proposed.plan === undefined
      ? await perform(running, found.registered, proposed, ruling, context)
      : await write(running, found.registered, proposed, ruling, context)
  } catch (error) {
    return failed(running, error)
  }
}

async function deny(
  running: Running,
  proposed: ProposedCall,
  ruling: Extract<Ruling, { verdict: 'deny' }>,
): Promise<never> {
  running.read.clear()
  await logIntent(running, proposed, ruling.code === 'denied' ? 'denied' : 'refused', ruling.rule)
  throw new Failure(ruling.code, ruling.reason, { hint: ruling.hint })
}

type FinalRuling = Exclude<Ruling, { verdict: 'revise' }>

/**
 * Asks until what is ruled on is what the person wants: edited arguments are understood and ruled on like new ones. What
 * depends on the whole vault is planned again after the person's yes, and shown again where it is no longer the same.
 */
async function proposeUntilRuled(
  running: Running,
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

/** All that was planned, or the part that was accepted. */
function changesOf({ plan }: ProposedCall, { changes }: Allowed): ChangeSet | undefined {
  return changes ?? plan?.changes
}

function altered(): Failure {
  return new Failure('conflict', 'The change was altered after it was shown, so it was refused.')
}

async function propose(
  running: Running,
  registered: RegisteredTool,
  { input, edited, touchesHidden }: Revision,
  context: ToolContext,
): Promise<ProposedCall> {
  const { call, setup } = running
  const { name, timeoutMs = defaultLimitMs } = registered.tool
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

type Allowed = Extract<Ruling, { verdict: 'allow' }>

async function perform(
  running: Running,
  registered: RegisteredTool,
  proposed: ProposedCall,
  ruling: Allowed,
  context: ToolContext,
): Promise<ToolResult> {
  const { call, setup } = running
  const { tool } = registered
  const { pick } = proposed
  const picked = ruling.picked ?? pick
  const input = pick && picked && tool.narrow ? tool.narrow(proposed.input, picked, pick) : proposed.input
  running.hasRun = true
  const vault = watchedVault(context.vault, running.read)
  const output = await withinLimit(tool.name, tool.timeoutMs ?? defaultLimitMs, context.signal, (signal) =>
    tool.run!(input, { ...context, vault, signal }),
  )
  const { provenance, notes } = await provenanceOf(registered, output, context)
  setup.guard.observe(provenance, notes)
  const refused = pick?.filter((path) => !picked?.includes(path)) ?? []
  const told = [
    ...(refused.length > 0 ? [`The user chose not to share: ${refused.join(', ')}`] : []),
    ...edits(proposed, ruling),
  ]
  const text = [...told, tool.render(output)].join('\n\n')
  const summary = tool.summary?.(output) ?? `${text.length} characters`
  await finish(running, { result: summary })
  return {
    callId: call.id,
    name: tool.name,
    ok: true,
    output,
    text,
    summary,
    ...(told.length > 0 && { userEdited: true }),
    provenance,
    logId: running.logId!,
  }
}

async function write(
  running: Running,
  registered: RegisteredTool,
  proposed: ProposedCall,
  ruling: Allowed,
  context: ToolContext,
): Promise<ToolResult> {
  const { call, setup } = running
  const { tool } = registered
  const plan = proposed.plan!
  const changes = changesOf(proposed, ruling)!
  const output = ruling.changes ? await partOutput(plan, ruling.changes) : plan.output
  // From here on it is done or it fails; a time limit could only make us lie about which.
  const applied = changes.changes.length === 0 ? undefined : await setup.apply(changes)
  const { provenance, notes } = await provenanceOf(registered, output, context).catch(() => unknownOrigin)
  setup.guard.observe(provenance, notes)
  const told = edits(proposed, ruling)
  // The tool's own words are about all that was planned.
  const inPart = ruling.changes && `Done in part: ${changes.title}. Read it again to see how it is now.`
  const words = inPart ?? tool.render(output, applied)
  const text = [words, ...told].join('\n\n')
  const summary = inPart ? `in part: ${changes.title}` : (tool.summary?.(output) ?? words)
  await finish(running, { result: summary })
  return {
    callId: call.id,
    name: tool.name,
    ok: true,
    output,
    text,
    summary,
    ...(applied && { changeSet: withoutHidden(applied, changes) }),
    ...(told.length > 0 && { userEdited: true }),
    provenance,
    logId: running.logId!,
  }
}

/** The result may reach a model, which is not told what hidden notes there are. */
function withoutHidden(applied: AppliedChangeSet, { changes }: ChangeSet): AppliedChangeSet {
  const hidden = new Set(changes.flatMap((each) => (each.kind === 'edit' && each.hiddenBefore ? [each.path] : [])))
  return hidden.size === 0 ? applied : { ...applied, changes: applied.changes.filter(({ path }) => !hidden.has(path)) }
}

/** What the tool says of a part that was accepted. */
async function partOutput({ inPart }: Plan, part: ChangeSet): Promise<unknown> {
  if (inPart === undefined) throw new Failure('conflict', 'This change is done as a whole or not at all.')
  return inPart(part)
}

/** What has been written is written, also when nobody can say where its words come from. */
const unknownOrigin: Origin = { provenance: ['own-note', 'clipped'], notes: [] }

/** The model is told the truth about what the person changed. */
function edits({ edited, input }: ProposedCall, { told }: Allowed): string[] {
  return [
    ...(edited ? [`The user changed the arguments to: ${JSON.stringify(input)}`] : []),
    ...(told === undefined ? [] : [told]),
  ]
}

/** A dry run asks nobody: nothing happens that anybody would have to agree to. What a rule denies stays unseen. */
async function rehearse(
  running: Running,
  registered: RegisteredTool,
  input: unknown,
  context: ToolContext,
): Promise<ToolResult> {
  const proposed = await propose(running, registered, { input, edited: false }, context)
  const { plan, sends, tool } = proposed
  const forbidden = await running.setup.guard.forbids(proposed, running.setup.context)
  if (forbidden !== undefined) await deny(running, proposed, forbidden)
  await logIntent(running, proposed, 'dry-run', 'dry run')
  const sent = sends.map(({ url }) => url).join(', ')
  const text = plan ? `Would do: ${plan.changes.title}` : `Would ${sent === '' ? `call ${tool.name}` : `send: ${sent}`}`
  await finish(running, { result: 'nothing was done' })
  return {
    callId: running.call.id,
    name: tool.name,
    ok: true,
    output: plan?.output ?? null,
    text,
    summary: text,
    ...(plan && { planned: await plannedChanges(plan.changes, (path) => context.vault.read(path)) }),
    provenance: [],
    logId: running.logId!,
  }
}

/** A clock and a look at notes change nothing; a timer does, though it touches no note. */
const isRead = ({ tool }: RegisteredTool): boolean =>
  tool.alwaysOn === true || (tool.effects.length > 0 && tool.effects.every((effect) => effect === 'reads'))

async function failed(running: Running, error: unknown): Promise<FailedCall> {
  const { call, setup } = running
  const { signal } = setup.context
  running.error = error
  const expected = error instanceof Failure ? error : undefined
  if (running.found) {
    const provenance = await provenanceOfFailure(error, running.found, running, setup.context)
    setup.guard.observe(provenance, [...running.read])
  }
  const code = expected?.code ?? 'internal'
  const logged = signal.aborted
    ? { code: 'aborted', message: 'stopped' }
    : { code, message: `${(error as Error)?.message ?? error}` }
  if (running.logId === undefined) {
    running.logId = await setup.log
      .intend(unproposed(running, code === 'denied' ? 'denied' : 'refused'), { durable: false })
      .catch(() => undefined)
  }
  await finish(running, { error: logged })
  // The person stopped the run. That is not the tool's result, so the model is not told.
  signal.throwIfAborted()
  const { hint, data } = expected ? failureData(expected) : {}
  const message = expected ? bounded(expected.message) : `${call.name} failed unexpectedly.`
  const text = [message, hint].filter(Boolean).join(' ')
  const logId = running.logId === undefined ? {} : { logId: running.logId }
  return {
    callId: call.id,
    name: call.name,
    ok: false,
    code,
    text,
    ...(hint && { hint }),
    ...(data && { data }),
    ...logId,
  }
}

/** A failure may repeat an argument, and that may be a whole book. */
function bounded(message: string): string {
  if (message.length <= longestMessage) return message
  const length = message.length.toLocaleString('en')
  return `${cutText(message, longestMessage)}… (${length} characters in all.)`
}

const longestMessage = 2000

function unproposed({ call, setup }: Running, decision: Decision): LogIntent {
  return {
    timestamp: setup.context.clock.now().toISOString(),
    session: setup.context.session,
    ...(call.turn && { turn: call.turn, call: call.id }),
    tool_name: call.name,
    arguments: call.input,
    decision,
    rule: 'checks',
  }
}

async function logIntent(
  running: Running,
  { tool, input, effects, sends, plan }: ProposedCall,
  decision: Decision,
  rule: string,
  changes = plan?.changes,
): Promise<void> {
  const intent: LogIntent = {
    ...unproposed(running, decision),
    tool_name: tool.name,
    arguments: input,
    rule,
    ...(sends.length > 0 && { egress: sends.map(egress) }),
    ...(changes && { change_set: changes.id }),
  }
  const durable = decision !== 'denied' && decision !== 'dry-run' && effects.some((effect) => effect !== 'reads')
  running.logId = await running.setup.log.intend(intent, { durable })
}

function egress({ url, payload = '' }: ProposedCall['sends'][number]): {
  destination: string
  sha256: string
  bytes: number
} {
  const bytes = new TextEncoder().encode(url + payload)
  return { destination: url.replace(/[?#].*$/s, ''), sha256: hashBytes(bytes), bytes: bytes.length }
}

/** What happened has happened: a log that fails now must not make it look undone. */
async function finish(running: Running, outcome: Pick<LogOutcome, 'result' | 'error'>): Promise<void> {
  if (running.logId === undefined) return
  const duration_ms = Math.round((performance.now() - running.startedAt) * 100) / 100
  await running.setup.log.finish(running.logId, { ...outcome, duration_ms }).catch(() => undefined)
}
