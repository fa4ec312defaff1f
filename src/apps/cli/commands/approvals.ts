import type { AddressedAnswer, UserAnswer, UserRequest } from '../../../core/approval/index.js'
import { Failure } from '../../../core/errors.js'
import type { SharedApprovals } from '../../../hosts/node/approvals.js'
import { sharedApprovals } from '../../../hosts/node/approvals.js'
import { vaultState } from '../../../hosts/node/state-database.js'
import { vaultFolders } from '../../../hosts/node/state-folders.js'
import { terminalQuestions } from '../approval/questions.js'
import { declareApprovalRules, permissionsList } from '../approval/rule-commands.js'
import { terminalAsker } from '../approval/terminal-asker.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { withoutSubcommand } from '../program/options.js'
import { locateVault, readSettings } from '../session/settings.js'
import { visibleLine } from '../terminal/terminal.js'

const noRequests = 'No requests are waiting.'

const requestId = 'id of the request, or the start of it'

export const declareApprovals: DeclareCommand = (command, run) => {
  command.addHelpText(
    'after',
    examples(
      ['notewright approvals'],
      ['notewright approvals allow 1f0c2a'],
      ['notewright approvals add "allow: append_note(Inbox/**)"'],
    ),
  )
  command
    .command('list')
    .description('List waiting requests.')
    .addHelpText('after', examples(['notewright approvals list'], ['notewright approvals list --json']))
    .action(() => run((to) => approvalsList(to)))
  command
    .command('allow')
    .description('Approve a request, once.')
    .argument('<id>', requestId)
    .addHelpText('after', examples(['notewright approvals allow 1f0c2a']))
    .action((id: string) => run((to) => approvalsAnswer(to, id, 'allow')))
  command
    .command('deny')
    .description('Deny a request.')
    .argument('<id>', requestId)
    .addHelpText('after', examples(['notewright approvals deny 1f0c2a']))
    .action((id: string) => run((to) => approvalsAnswer(to, id, 'deny')))
  declareApprovalRules(command, run, 'rules')
  withoutSubcommand(command, () => run((to) => approvalsAsk(to)))
}

/** The former command for rules, with its former name of the list. */
export const declarePermissions: DeclareCommand = (command, run) => {
  declareApprovalRules(command, run, 'list')
  withoutSubcommand(command, () => run((to) => permissionsList(to)))
}

/** Shows each request that waits, as its own process would, and asks for an answer. */
export async function approvalsAsk(invocation: Invocation): Promise<void> {
  const { terminal, signal } = invocation
  if (terminal.json || !terminal.canAsk) return approvalsList(invocation)
  await withQueue(invocation, async (queue) => {
    const seen = new Set<string>()
    for (;;) {
      const panel = queue.list().find(({ panel: { id } }) => !seen.has(id))?.panel
      if (panel === undefined) break
      seen.add(panel.id)
      terminal.say(`\nFrom ${visibleLine(panel.session)}:`)
      const answer = await terminalAsker(terminalQuestions(terminal))(panel, signal)
      if (answer === undefined) break
      tellReceipt(invocation, queue, panel, answer)
    }
    if (seen.size === 0) terminal.say(noRequests)
  })
}

export async function approvalsList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withQueue(invocation, async (queue) => {
    const panels = queue.list().map(({ panel }) => panel)
    if (terminal.json) return terminal.printJson(panels)
    for (const panel of panels) {
      terminal.print(`${panel.id.slice(0, 8)}  ${visibleLine(titleOf(panel))}  ${visibleLine(panel.session)}`)
    }
    terminal.say(panels.length === 0 ? noRequests : 'Answer them with: notewright approvals')
  })
}

export async function approvalsAnswer(invocation: Invocation, id: string, verdict: 'allow' | 'deny'): Promise<void> {
  await withQueue(invocation, async (queue) => {
    const [found, ...others] = queue.list().filter(({ panel }) => panel.id.startsWith(id))
    if (found === undefined || others.length > 0) {
      const what =
        found === undefined ? 'No waiting request has the id' : 'Several waiting requests have an id that starts with'
      throw new Failure(found === undefined ? 'not-found' : 'ambiguous', `${what} ${id.slice(0, 60)}.`, {
        hint: 'List them: notewright approvals list',
      })
    }
    const { panel } = found
    tellReceipt(invocation, queue, panel, answerTo(panel, verdict))
  })
}

function answerTo(panel: UserRequest, verdict: 'allow' | 'deny'): UserAnswer {
  if (panel.kind === 'batch') {
    const each = panel.requests.map(({ id, pick }) => [id, verdict === 'deny' ? { verdict } : allowOnce(pick)])
    return { verdict: 'each', answers: Object.fromEntries(each) }
  }
  if (verdict === 'deny') return { verdict }
  if (panel.kind !== 'question') return allowOnce(panel.pick)
  throw new Failure('invalid-input', 'This request has fields to fill in.', {
    hint: 'Answer it in the terminal: notewright approvals',
  })
}

const allowOnce = (pick: readonly string[] | undefined) => ({
  verdict: 'allow' as const,
  scope: 'once' as const,
  ...(pick && { picked: pick }),
})

/** The answer is bound to the shown request: the other process checks the hash again before it acts. */
function tellReceipt({ terminal }: Invocation, queue: SharedApprovals, panel: UserRequest, answer: UserAnswer): void {
  const receipt = queue.answer(panel.id, { ...answer, hash: panel.hash, session: panel.session } as AddressedAnswer)
  if (!receipt.ok) throw new Failure('conflict', receipt.message)
  const isAllowed = answer.verdict === 'allow' || answer.verdict === 'each'
  if (terminal.json) terminal.printJson({ id: panel.id, verdict: answer.verdict })
  else terminal.say(`${isAllowed ? 'Answered' : 'Denied'}: ${visibleLine(titleOf(panel))}`)
}

function titleOf(panel: UserRequest): string {
  if (panel.kind === 'question') return panel.message
  return panel.kind === 'batch' ? `${panel.requests.length} calls` : `${panel.tool.title}: ${panel.title}`
}

async function withQueue<T>(invocation: Invocation, use: (queue: SharedApprovals) => Promise<T>): Promise<T> {
  const setting = await readSettings(invocation)
  const { root } = await locateVault(invocation, setting)
  const state = vaultState(vaultFolders(setting.folders, root).journal, (text) =>
    invocation.terminal.say(visibleLine(text)),
  )
  const queue = sharedApprovals({ state })
  try {
    return await use(queue)
  } finally {
    queue.close()
    state.close()
  }
}
