import {
  checkProject,
  findProject,
  listProjects,
  type Project,
  type ProjectFinding,
  projectWishes,
} from '../../../../core/projects/index.js'
import { projectNotes, projectPlaces, projectRows } from '../../../../core/session/index.js'
import { toolset } from '../../../../core/tools/index.js'
import type { Invocation } from '../../program/invocation.js'
import { type OpenedSession, withSession } from '../../session/with-session.js'
import { count } from '../../show/quantities.js'
import { padToWidth, type Terminal, visibleLine } from '../../terminal/index.js'

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
  'There are no projects yet. A note with the properties `notewright: project` and `folders: [Garden]` makes one.'

export async function projectsShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async (opened) => {
    const project = await findProject(name, projectPlaces(opened.vault, opened.session))
    const { notes, wrong } = await projectNotes(project, opened.vault, opened.session)
    const { notices, ...counts } = projectWishes(project, wayOf(opened))
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
    if (notes.length > mostShown) terminal.print(faint(`  and ${notes.length - mostShown} more (--json lists all)`))
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
        ...(!wrong && notes.length === 0 ? ['it matches no note'] : []),
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
