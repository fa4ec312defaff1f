import { screenNotes } from '../../../../core/approval/index.js'
import { Failure } from '../../../../core/errors.js'
import {
  checkProject,
  findProject,
  listProjects,
  type Project,
  type ProjectFinding,
  projectWishes,
  scopeRule,
} from '../../../../core/projects/index.js'
import { toolset } from '../../../../core/tools/index.js'
import type { Invocation } from '../../program/invocation.js'
import { type OpenedSession, withSession } from '../../session/with-session.js'
import { padToWidth, type Terminal, visibleLine } from '../../terminal/index.js'

export async function projectsList(invocation: Invocation): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async (opened) => {
    const places = placesOf(opened)
    const rows = await Promise.all(
      (await listProjects(places)).map(async (project) => ({ project, ...(await notesIn(project, opened)) })),
    )
    if (terminal.json) {
      const projects = rows.map(({ project: { name, note }, notes, wrong }) => ({
        name,
        from: note ?? 'settings',
        notes: notes.length,
        ...(wrong && { wrong }),
      }))
      return terminal.printJson({ projects })
    }
    if (rows.length === 0) return terminal.say(noneYet)
    const width = Math.max(...rows.map(({ project }) => visibleLine(project.name).length))
    for (const { project, notes, wrong } of rows) {
      const about = wrong ?? `${notes.length} note${notes.length === 1 ? '' : 's'}`
      const from = terminal.style.faint(visibleLine(project.note ?? 'settings'))
      terminal.print(`${padToWidth(visibleLine(project.name), width)}  ${visibleLine(about)}  ${from}`)
    }
  })
}

const noneYet =
  'There are no projects yet. A note with the properties `notewright: project` and `folders: [Garden]` makes one.'

export async function projectsShow(invocation: Invocation, name: string): Promise<void> {
  const { terminal } = invocation
  await withSession(invocation, {}, async (opened) => {
    const project = await findProject(name, placesOf(opened))
    const { notes, wrong } = await notesIn(project, opened)
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
    const projects = await listProjects(placesOf(opened))
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
      const found = await checkProject(project, { index: placesOf(opened).index, way: wayOf(opened), toolNames })
      const twice = projects.filter(({ name }) => name.toLowerCase() === project.name.toLowerCase()).length > 1
      const { notes, wrong } = await notesIn(project, opened)
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

const placesOf = ({ vault, session }: OpenedSession) => {
  const { notebook, settings } = vault
  return { ...screenNotes({ vault: notebook.vault, index: notebook.index }, session.guard.rules()), settings }
}

const wayOf = ({ vault: { settings, registry } }: OpenedSession) => {
  const { model, mode, consent, tools } = settings
  return { model, mode, consent, tools: toolset(tools, registry).names }
}

/** The notes of a project by path, or why it cannot be opened. */
async function notesIn(project: Project, opened: OpenedSession): Promise<{ notes: string[]; wrong?: string }> {
  const places = placesOf(opened)
  try {
    const rule = await scopeRule(project, places.index)
    const { index } = screenNotes(places, [...opened.session.guard.rules(), rule])
    return { notes: (await index.notes()).map(({ path }) => path) }
  } catch (error) {
    if (!(error instanceof Failure)) throw error
    return { notes: [], wrong: error.message }
  }
}
