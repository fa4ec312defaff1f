import type { Project, ProjectFinding } from '../../../core/projects.js'
import { applyProject, checkProject, findProject, listProjects } from '../../../core/projects.js'
import { projectNotes, projectPlaces, projectRows } from '../../../core/session/index.js'
import { count } from '../../../core/text/index.js'
import { toolset } from '../../../core/tools/index.js'
import { examples } from '../program/help.js'
import type { DeclareCommand, Invocation } from '../program/invocation.js'
import { withoutSubcommand } from '../program/options.js'
import type { OpenedSession } from '../session/open-session.js'
import { withSession } from '../session/open-session.js'
import type { Terminal } from '../terminal/terminal.js'
import { visibleLine } from '../terminal/terminal.js'
import { padToWidth } from '../terminal/text-width.js'

export const declareProjects: DeclareCommand = (command, run) => {
  command.addHelpText(
    'after',
    examples(['notewright projects list'], ['notewright ask --project Garden "what is ripe?"']),
  )
  command
    .command('list')
    .description('List the projects, with their source and number of notes.')
    .addHelpText('after', examples(['notewright projects list'], ['notewright projects list --json']))
    .action(() => run((to) => projectsList(to)))
  command
    .command('show')
    .description('Show the settings of a project and its notes.')
    .argument('<name>', 'name of the project')
    .addHelpText('after', examples(['notewright projects show Garden'], ['notewright projects show Garden --json']))
    .action((name: string) => run((to) => projectsShow(to, name)))
  command
    .command('check')
    .description(
      'Check all projects for mistakes.\nReports missing folders, tags, notes and tools, and settings that a note may not change.',
    )
    .addHelpText(
      'after',
      examples(
        ['notewright projects check'],
        ['notewright projects check --json', 'exit code 1 if there is a mistake'],
      ),
    )
    .action(() => run((to) => projectsCheck(to)))
  withoutSubcommand(command, () => run((to) => projectsList(to)))
}

export async function projectsList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async ({ vault, session }) => {
    const projects = await projectRows(vault, session)
    if (terminal.json) return terminal.printJson({ projects })
    if (projects.length === 0) return terminal.say(noneYet)
    const width = Math.max(...projects.map(({ name }) => visibleLine(name).length))
    for (const { name, from, notes, wrong } of projects) {
      const about = wrong ?? count(notes, 'note')
      terminal.print(
        `${padToWidth(visibleLine(name), width)}  ${visibleLine(about)}  ${terminal.style.faint(visibleLine(from))}`,
      )
    }
  })
}

const noneYet =
  'No projects yet. To create one, add the properties `notewright: project` and `folders: [Garden]` to a note.'

export async function projectsShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async (opened) => {
    const project = await findProject(name, projectPlaces(opened.vault, opened.session))
    const { notes, wrong } = await projectNotes(project, opened.vault, opened.session)
    const { notices, ...counts } = applyProject(project, wayOf(opened))
    if (terminal.json) {
      const { note, says } = project
      return terminal.printJson({
        name: project.name,
        from: note ?? 'settings',
        says,
        counts,
        notices,
        notes,
        ...(wrong && { wrong }),
      })
    }
    const { strong, faint, warning } = terminal.style
    terminal.print(`${strong(visibleLine(project.name))}  ${faint(visibleLine(project.note ?? 'settings'))}`)
    for (const [key, value] of Object.entries(project.says)) {
      terminal.print(
        `  ${padToWidth(key, 12)}${visibleLine(typeof value === 'string' ? value : JSON.stringify(value))}`,
      )
    }
    for (const text of [...(wrong ? [wrong] : []), ...notices]) terminal.print(`  ${warning('!')} ${visibleLine(text)}`)
    terminal.print(`\n${strong('Notes')}  ${notes.length}`)
    for (const path of notes.slice(0, mostShown)) terminal.print(`  ${visibleLine(path)}`)
    if (notes.length > mostShown) terminal.print(faint(`  and ${notes.length - mostShown} more (list all with --json)`))
  })
}

const mostShown = 20

export async function projectsCheck(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async (opened) => {
    const projects = await listProjects(projectPlaces(opened.vault, opened.session))
    const checked = await Promise.all(projects.map(async (project) => ({ project, findings: await findings(project) })))
    const isWrong = checked.some(({ findings }) => findings.some(({ kind }) => kind === 'wrong'))
    if (isWrong) process.exitCode = 1
    if (terminal.json) {
      const rows = checked.map(({ project, findings }) => ({
        name: project.name,
        from: project.note ?? 'settings',
        findings,
      }))
      return terminal.printJson({ ok: !isWrong, projects: rows })
    }
    if (checked.length === 0) return terminal.say(noneYet)
    for (const { project, findings } of checked) showFindings(project, findings, terminal)

    async function findings(project: Project): Promise<ProjectFinding[]> {
      const { registry } = opened.vault
      const toolNames = registry.all().map(({ tool }) => tool.name)
      const found = await checkProject(project, {
        index: projectPlaces(opened.vault, opened.session).index,
        way: wayOf(opened),
        toolNames,
      })
      const twice = projects.filter(({ name }) => name.toLowerCase() === project.name.toLowerCase()).length > 1
      const { notes, wrong } = await projectNotes(project, opened.vault, opened.session)
      const more = [
        ...(twice ? ['another project has the same name'] : []),
        ...(wrong && project.faults.length === 0 ? [wrong] : []),
        ...(!wrong && notes.length === 0 ? ['no note matches'] : []),
      ]
      return [...more.map((text): ProjectFinding => ({ kind: 'wrong', text })), ...found]
    }
  })
}

function showFindings({ name }: Project, findings: readonly ProjectFinding[], { print, style }: Terminal): void {
  if (findings.length === 0) print(`${style.good('✓')} ${visibleLine(name)}`)
  for (const { kind, text } of findings) {
    const mark = kind === 'wrong' ? style.bad('✗') : style.warning('!')
    print(`${mark} ${visibleLine(name)}: ${visibleLine(text)}`)
  }
}

const wayOf = ({ vault: { settings, registry } }: OpenedSession) => {
  const { model, mode, consent, tools } = settings
  return { model, mode, consent, tools: toolset(tools, registry).names }
}
