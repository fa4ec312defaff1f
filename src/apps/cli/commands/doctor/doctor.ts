import { Failure } from '../../../../core/errors.js'
import { unsettledSentence } from '../../../../core/notebook/index.js'
import { type FolderNotebook, openNotebook } from '../../../../hosts/node/open-notebook.js'
import type { Setup } from '../../../../hosts/node/setup/index.js'
import { stateFolders, vaultFolders } from '../../../../hosts/node/state/index.js'
import type { Invocation } from '../../program/invocation.js'
import { withCommand } from '../../program/with-command.js'
import { locateVault, readSettings } from '../../session/locate-vault.js'
import { bytes, count } from '../../show/quantities.js'
import { type Style, visibleText, wrapToWidth } from '../../terminal/index.js'
import { checkCodex } from './check-codex.js'
import { checkModelServers } from './check-model-servers.js'
import { checkNode } from './check-node.js'
import { checkServe } from './check-serve.js'
import { checkJournal, checkLock, checkPermissions } from './check-state.js'
import { checkExclusions, checkSkipped, checkVault } from './check-vault.js'
import type { Finding } from './finding.js'

export async function doctor(invocation: Invocation): Promise<void> {
  const { terminal, surroundings } = invocation
  const findings = [checkNode(process.versions.node)]
  const setting = await orFinding('Configuration', () => readSettings(invocation))
  if (isFinding(setting)) findings.push(setting)
  else findings.push(...(await checkSetting(invocation, setting)))
  findings.push(await checkModelServers(surroundings.environment))
  if (!isFinding(setting)) findings.push(await checkCodex(surroundings.environment, setting.config))

  const failed = findings.filter(({ state }) => state === 'fail').length
  if (terminal.json) {
    const checks = findings.map(({ subject, state, text, advice }) => ({ check: subject, state, text, advice }))
    terminal.printJson({ ok: failed === 0, checks })
  } else {
    for (const finding of findings) terminal.print(showFinding(finding, terminal.style, terminal.width))
  }
  if (failed > 0) process.exitCode = 1
}

async function checkSetting(invocation: Invocation, setting: Setup): Promise<Finding[]> {
  const { configFile, state, cache } = setting.folders
  const findings: Finding[] = [{ subject: 'Configuration', state: 'ok', text: configFile }]
  const found = await orFinding('Vault', () => locateVault(invocation, setting))
  if (isFinding(found)) {
    findings.push(found)
  } else {
    findings.push(await checkVault(found.root, found.from))
    const { journal } = vaultFolders(stateFolders(invocation.surroundings), found.root)
    if (findings.every(({ state }) => state !== 'fail')) {
      findings.push(...(await checkNotebook(found.root, journal, setting)))
    } else findings.push(await checkJournal(journal, setting.config))
    findings.push(...(await checkLock(journal)))
  }
  findings.push(await checkPermissions([configFile, state, cache]))
  findings.push(...(await checkServe(setting.config, state)))
  return findings
}

async function checkNotebook(root: string, journal: string, { config, folders }: Setup): Promise<Finding[]> {
  const notebook = await orFinding('Index', () => openNotebook({ root, config, folders }))
  if (isFinding(notebook)) return [notebook, await checkJournal(journal, config)]
  try {
    const visible = await orFinding('Exclusions', () => notebook.vault.files())
    if (isFinding(visible)) return [visible, await checkJournal(journal, config)]
    const history = await orFinding('Journal', () => notebook.history())
    const damaged = isFinding(history) ? [] : history.filter(({ state }) => state === 'damaged')
    return [
      ...(notebook.trouble === undefined ? [] : [{ subject: 'State', state: 'fail' as const, text: notebook.trouble }]),
      await checkExclusions(root, config, visible.length),
      ...(await checkIndex(notebook)),
      ...(await checkUnsettled(notebook)),
      isFinding(history)
        ? history
        : await checkJournal(
            journal,
            config,
            damaged.map(({ title }) => title),
          ),
    ]
  } finally {
    await notebook.close()
  }
}

/** Changes that were cut off and wait for a decision, and files they have left. */
async function checkUnsettled(notebook: FolderNotebook): Promise<Finding[]> {
  const subject = 'Changes'
  const waiting = await orFinding(subject, () => notebook.unsettled())
  if (isFinding(waiting)) return [waiting]
  const strays = await notebook.strayFiles()
  const findings: Finding[] = waiting.map((entry) => ({
    subject,
    state: 'warn',
    text: unsettledSentence(entry),
    advice: 'notewright settle',
  }))
  if (strays.length > 0) {
    const advice = 'notewright settle removes those whose bytes it knows; look at the others, then delete them.'
    findings.push({ subject, state: 'warn', text: `left over in the vault: ${strays.join(', ')}`, advice })
  }
  return findings.length > 0 ? findings : [{ subject, state: 'ok', text: 'none was cut off' }]
}

async function checkIndex(notebook: FolderNotebook): Promise<Finding[]> {
  const subject = 'Index'
  const status = await orFinding(subject, () => notebook.status())
  if (isFinding(status)) return [{ ...status, advice: 'Build it again: notewright index' }]
  const { notes, freshness, indexBytes, skipped, vectorsLostBy } = status
  const leftOut = checkSkipped(skipped)
  if (notes === 0) return [{ subject, state: 'warn', text: 'empty', advice: 'Build it: notewright index' }, ...leftOut]
  const why = vectorsLostBy === undefined ? '' : ` (${vectorsLostBy})`
  const text = `${count(notes, 'note')}, ${bytes(indexBytes)}, ${freshness}${why}`
  const isFresh = freshness === 'fresh'
  const advice = isFresh ? {} : { advice: 'Bring it up to date: notewright index' }
  return [{ subject, state: isFresh ? 'ok' : 'warn', text, ...advice }, ...leftOut]
}

/** A failed check is a line of the report, not the end of it. */
async function orFinding<T>(subject: string, check: () => Promise<T>): Promise<T | Finding> {
  try {
    return await check()
  } catch (error) {
    const { hint, command } = error instanceof Failure ? error.details : {}
    const advice = hint && withCommand(hint, command)
    return { subject, state: 'fail', text: (error as Error).message, ...(advice && { advice }) }
  }
}

function isFinding(value: unknown): value is Finding {
  return typeof value === 'object' && value !== null && 'subject' in value && 'state' in value && 'text' in value
}

function showFinding({ subject, state, text, advice }: Finding, style: Style, width: number): string {
  const mark = { ok: style.good('ok  '), warn: style.warning('warn'), fail: style.bad('fail') }[state]
  const indent = ' '.repeat(20)
  const body = visibleText(text)
    .split('\n')
    .flatMap((line) => wrapToWidth(line, width - indent.length))
  const hint = advice === undefined ? [] : wrapToWidth(visibleText(advice), width - indent.length)
  const lines = [...body, ...hint.map((line) => style.faint(line))]
  return `${mark}  ${subject.padEnd(14)}${lines.join(`\n${indent}`)}`
}
