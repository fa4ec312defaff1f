import type { FileHandle } from 'node:fs/promises'
import { open, realpath } from 'node:fs/promises'
import { basename, isAbsolute, relative, sep } from 'node:path'
import { Option } from 'commander'
import type { AgentEvent } from '../../../core/agent/index.js'
import type { AskUser } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { AttachedFile } from '../../../core/files.js'
import { maxAttachedBytes } from '../../../core/files.js'
import type { Request, Session, TurnReport } from '../../../core/session/index.js'
import { turnReport } from '../../../core/session/index.js'
import { bytes } from '../../../core/text/index.js'
import { notePath } from '../../../core/vault/index.js'
import type { FolderVault } from '../../../hosts/node/open-vault.js'
import { type AddressOf, noteAddresses, traceTurn, turnScreen } from '../agent/turn-screen.js'
import { exitCodes, interrupted } from '../program/failures.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { agentOptions, approveAllOption, collected } from '../program/options.js'
import type { SessionFlags } from '../session/open-session.js'
import { withAgent } from '../session/open-session.js'
import { readStandardInput } from '../session/typed-text.js'
import type { Terminal } from '../terminal/terminal.js'
import { jsonLine, visibleLine } from '../terminal/terminal.js'

export const declareAsk: DeclareCommand = (command, run) => {
  command
    .argument('[question...]', 'your question or task')
    .option('--note <note>', 'the note your question is about')
    .option('--attach <file>', 'attach a text file, image or PDF; repeatable', collected)
    .addOption(
      new Option('--format <how>', 'output: text, one JSON object, or one event per line').choices([
        'text',
        'json',
        'stream-json',
      ]),
    )
    .addOption(approveAllOption())
  agentOptions(command)
    .addHelpText(
      'after',
      examples(
        ['notewright ask "what did we decide about the roof?"'],
        ['notewright ask "add milk to the shopping list" --yes'],
        ['git log -5 | notewright ask "add this to today\'s note"'],
        ['notewright ask -m ollama/qwen3:8b --mode vault-qa "when to sow beans"'],
        ['notewright ask -r 2026-03-01-k3f9a2 "and the beans?"', 'continue a chat'],
        ['notewright ask "what is new in this?" --attach ~/Downloads/minutes.txt'],
        ['notewright ask -m openai/gpt-5 "what plant is this?" --attach leaf.jpg'],
        ['notewright ask "list open questions" --format stream-json', 'each step as it happens'],
      ),
    )
    .action((words: string[], options) => run((to) => ask(to, words.join(' '), options)))
}

export interface AskFlags extends SessionFlags {
  note?: string
  attach?: string[]
  format?: 'text' | 'json' | 'stream-json'
}

/** Puts one question to the vault and shows everything that happens until the answer is there. */
export async function ask(invocation: Invocation, words: string, options: AskFlags): Promise<void> {
  const { terminal, signal } = invocation
  const format = options.format ?? (terminal.json ? 'json' : 'text')
  const piped = await readStandardInput(terminal, signal)
  const text = words.trim() === '' ? (piped ?? '').trim() : words.trim()
  if (text === '') {
    throw new Failure('invalid-input', 'No question.', {
      hint: 'For example: notewright ask "what feeds the soil?"',
    })
  }
  const attached = words.trim() !== '' && piped !== undefined ? [{ name: 'standard input', text: piped }] : []
  const files = await readAttachments(options.attach ?? [])

  let addressOf: AddressOf = () => undefined
  const screen =
    format === 'text' ? turnScreen(terminal, (citation) => addressOf(citation)) : { show: () => {}, pause: () => {} }
  const asker = askerFor(terminal, () => screen.pause())
  await withAgent(
    invocation,
    // The command ends with the answer and does not wait for a title.
    { autoTitle: false, ...options },
    async ({ session, vault }) => {
      addressOf = noteAddresses(vault.notebook.root)
      const report = turnReport()
      await refuseHidden(options.attach ?? [], vault, session)
      const request = { text, note: options.note, attached, files }
      for await (const event of eventsOf(session, vault.approvalQueue.canAsk, request, signal)) {
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

/** A request that was pending when the session ended is asked first, if the user can be asked. */
async function* eventsOf(
  session: Session,
  canAsk: boolean,
  request: Request,
  signal: AbortSignal,
): AsyncGenerator<AgentEvent> {
  if (canAsk && session.pendingApproval() !== undefined) yield* session.resumeTurn(signal)
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
    const explained = await session.explain(failure ?? { code: 'internal', text: 'The request failed.' }, signal)
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
    terminal.say(`${good('✓')} ${visibleLine(title)} ${faint(`(to undo: notewright undo ${id})`)}`)
  }
}

function sayHowToAllow(text: string, terminal: Terminal): void {
  const rule = /allow: (\S.*)$/.exec(text)?.[1]
  const flag = rule === undefined ? '--yes' : `--yes, or --allow "${visibleLine(rule)}"`
  terminal.say(terminal.messageStyle.faint(`Not done: this needs your approval. Run it again with ${flag}.`))
}

/** Questions go to the user at the terminal; Ctrl-C there stops the whole run. Loaded when the first one is asked. */
function askerFor(terminal: Terminal, pause: () => void): AskUser | undefined {
  if (!terminal.canAsk) return undefined
  return (async (panel, signal) => {
    pause()
    const [{ terminalAsker }, { terminalQuestions }] = await Promise.all([
      import('../approval/terminal-asker.js'),
      import('../approval/questions.js'),
    ])
    const conversation = terminalQuestions(terminal, () => void process.emit('SIGINT'))
    return terminalAsker(conversation)(panel as never, signal)
  }) as AskUser
}

/** Reads the files given with a question. The session detects their types. */
export async function readAttachments(files: readonly string[]): Promise<AttachedFile[]> {
  const read: AttachedFile[] = []
  let left = maxAttachedBytes
  for (const file of files) {
    const content = await readBytes(file, left)
    left -= content.length
    read.push({ name: basename(file), bytes: content })
  }
  return read
}

async function readBytes(file: string, most: number): Promise<Uint8Array> {
  const handle = await open(file, 'r').catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') throw new Failure('not-found', `File not found: ${file}`)
    throw new Failure('invalid-input', `Can't read ${file} (${error.code}).`)
  })
  try {
    const stat = await handle.stat()
    if (!stat.isFile()) throw new Failure('invalid-input', `${file} is not a file.`)
    const content = new Uint8Array(Math.min(stat.size, most + 1))
    const bytesRead = await fill(content, handle)
    if (stat.size > most || bytesRead > most) {
      throw new Failure(
        'too-large',
        `${file} is ${bytes(stat.size)}. All attached files together can be at most ${bytes(maxAttachedBytes)}.`,
        {
          hint: 'Attach only the relevant part, or a smaller version.',
        },
      )
    }
    return content.subarray(0, bytesRead)
  } finally {
    await handle.close()
  }
}

/** Reads until `into` is full or the file ends: a network drive may return less than it is asked for. */
async function fill(into: Uint8Array, handle: FileHandle): Promise<number> {
  let done = 0
  while (done < into.length) {
    const { bytesRead } = await handle.read(into, done, into.length - done, done)
    if (bytesRead === 0) break
    done += bytesRead
  }
  return done
}

/** Notes that may not be read cannot be attached either. */
export async function refuseHidden(
  files: readonly string[],
  { notebook }: Pick<FolderVault, 'notebook'>,
  session: Pick<Session, 'toolSetup'>,
): Promise<void> {
  if (files.length === 0) return
  const { guard, context } = await session.toolSetup()
  const { vault } = guard.filterVisible(context)
  const root = await realpath(notebook.root)
  for (const file of files) {
    const place = relative(root, await realpath(file))
    if (isAbsolute(place) || place === '..' || place.startsWith(`..${sep}`)) continue
    if (await mayBeRead(place.split(sep).join('/'), vault)) continue
    throw new Failure('denied', `${file} is in the vault and hidden from models.`, {
      hint: 'It is excluded, private, outside the project, or denied by a rule. Check with: notewright approvals rules',
    })
  }
}

async function mayBeRead(place: string, vault: Awaited<ReturnType<Session['toolSetup']>>['context']['vault']) {
  try {
    return (await vault.read(notePath(place))) !== undefined
  } catch (error) {
    if (error instanceof Failure) return false
    throw error
  }
}
