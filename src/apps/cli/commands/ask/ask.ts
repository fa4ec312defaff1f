import type { AgentEvent } from '../../../../core/agent/index.js'
import type { Asker } from '../../../../core/approval/index.js'
import { Failure } from '../../../../core/errors.js'
import { type Request, type Session, type TurnReport, turnReport } from '../../../../core/session/index.js'
import { traceTurn, turnScreen } from '../../agent/index.js'
import { exitCodes, interrupted } from '../../program/exit-codes.js'
import type { Invocation } from '../../program/invocation.js'
import { type SessionFlags, withAgent } from '../../session/with-session.js'
import { jsonLine, type Terminal, visibleLine } from '../../terminal/index.js'
import { readAttachments } from './read-attachments.js'
import { readInput } from './read-input.js'
import { refuseHidden } from './refuse-hidden.js'

export interface AskOptions extends SessionFlags {
  note?: string
  attach?: string[]
  format?: 'text' | 'json' | 'stream-json'
}

/** Puts one question to the vault and shows everything that happens until the answer is there. */
export async function ask(invocation: Invocation, words: string, options: AskOptions): Promise<void> {
  const { terminal, signal } = invocation
  const format = options.format ?? (terminal.json ? 'json' : 'text')
  const piped = await readInput(terminal, signal)
  const text = words.trim() === '' ? (piped ?? '').trim() : words.trim()
  if (text === '') {
    throw new Failure('invalid-input', 'There is no question.', {
      hint: 'For example: notewright ask "what feeds the soil?"',
    })
  }
  const attached = words.trim() !== '' && piped !== undefined ? [{ name: 'standard input', text: piped }] : []
  const files = await readAttachments(options.attach ?? [])

  const screen = format === 'text' ? turnScreen(terminal) : { show: () => {}, pause: () => {} }
  const asker = askerFor(terminal, () => screen.pause())
  await withAgent(
    invocation,
    // It ends with its answer: nobody is to wait for a title.
    { autoTitle: false, ...options },
    async ({ session, vault }) => {
      const report = turnReport()
      await refuseHidden(options.attach ?? [], vault, session)
      const request = { text, note: options.note, attached, files }
      for await (const event of eventsOf(session, vault.desk.canAsk, request, signal)) {
        report.see(event)
        traceTurn(event, terminal)
        if (format === 'stream-json') terminal.print(jsonLine(event))
        else screen.show(event)
      }
      if (format === 'json') terminal.printJson(report.asData(session.id))
      await conclude(session, report, format, invocation)
    },
    { asker },
  )
}

/** What waited for an answer when the session was left comes first, where somebody can be asked. */
async function* eventsOf(
  session: Session,
  canAsk: boolean,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  if (canAsk && session.waits() !== undefined) yield* session.goOn(signal)
  yield* session.ask(request, signal)
}

/** The last words, and the exit code. */
async function conclude(session: Session, report: TurnReport, format: string, invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation
  const { reason, failure } = report.end()
  if (format === 'text') sayChanges(report, terminal)
  if (reason === 'stopped') {
    process.exitCode = interrupted
    if (format === 'text') terminal.say('Stopped.')
  } else if (reason === 'failed') {
    const explained = await session.explain(failure ?? { code: 'internal', text: 'The turn failed.' }, signal)
    if (format === 'text') throw explained
    process.exitCode = exitCodes[explained.code]
  } else {
    const refusal = report.refusal()
    if (refusal === undefined) return
    process.exitCode = exitCodes[refusal.code]
    if (format === 'text' && refusal.code === 'needs-approval') sayHowToAllow(refusal.text, terminal)
  }
}

function sayChanges(report: TurnReport, terminal: Terminal): void {
  const { good, faint } = terminal.messageStyle
  for (const { id, title } of report.changes()) {
    terminal.say(`${good('✓')} ${visibleLine(title)} ${faint(`(take it back: notewright undo ${id})`)}`)
  }
}

function sayHowToAllow(text: string, terminal: Terminal): void {
  const rule = /allow: (\S.*)$/.exec(text)?.[1]
  const flag = rule === undefined ? '--yes' : `--yes, or --allow "${visibleLine(rule)}"`
  terminal.say(terminal.messageStyle.faint(`Nobody could be asked. To allow it, run this again with ${flag}.`))
}

/** Questions go to the person at the terminal; Ctrl-C there stops the whole run. Loaded when the first one is asked. */
function askerFor(terminal: Terminal, pause: () => void): Asker | undefined {
  if (!terminal.canAsk) return undefined
  return (async (panel, signal) => {
    pause()
    const { terminalAsker, terminalConversation } = await import('../../approval/index.js')
    const conversation = terminalConversation(terminal, () => void process.emit('SIGINT'))
    return terminalAsker(conversation)(panel as never, signal)
  }) as Asker
}
