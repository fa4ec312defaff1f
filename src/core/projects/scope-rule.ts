import { parseSelector, type Rule, type Selector } from '../approval/index.js'
import { Failure } from '../errors.js'
import type { NotePath } from '../vault/index.js'
import type { NoteIndex } from '../vault-index/index.js'
import type { Project } from './project.js'

/**
 * A project's scope as a rule that denies the rest: so the one policy and the one screen keep it, for every tool. In it is
 * what one of its folders, tags, notes or properties picks and none of its exclusions does.
 */
export async function scopeRule(project: Project, index: Pick<NoteIndex, 'find'>): Promise<Rule> {
  const { name, says, faults } = project
  const broken = faults.find((fault) => /^(?:folders|tags|notes|properties|exclude) /.test(fault))
  if (broken !== undefined) throw wrong(project, broken)
  const { folders = [], tags = [], notes = [], properties = {}, exclude = [] } = says
  const inside = [
    ...folders.map((folder) => read(project, `folder:${folder.replace(/^\/+|\/+$/g, '')}`)),
    ...tags.map((tag) => read(project, `tag:${tag}`)),
    ...Object.entries(properties).flatMap(([property, value]) =>
      (Array.isArray(value) ? value : [value]).map((each) => read(project, `prop:${property}=${each}`)),
    ),
    ...(await namedNotes(notes, index)),
  ]
  if (inside.length === 0) throw wrong(project, 'it names no folders, tags, notes or properties')
  const selector: Selector = {
    kind: 'outside',
    project: name,
    inside,
    exclude: exclude.map((text) => excluded(project, text)),
  }
  return { effect: 'deny', subject: { kind: 'any' }, selector, text: `outside the project ${name}`, from: 'project' }
}

/** A note that is not there, or not to be seen, is not in the project; `projects check` says so. */
async function namedNotes(names: readonly string[], index: Pick<NoteIndex, 'find'>): Promise<Selector[]> {
  const paths: NotePath[] = []
  for (const name of names) {
    try {
      paths.push((await index.find(withoutBrackets(name))).path)
    } catch (error) {
      if (!(error instanceof Failure)) throw error
    }
  }
  return names.length === 0 ? [] : [{ kind: 'notes', paths }]
}

/** `[[Soil|the soil]]` as a property has it. */
export const withoutBrackets = (name: string): string => /^\[\[([^\]|#]+)[^\]]*\]\]$/.exec(name.trim())?.[1] ?? name

/** `#tag`, a folder, a note, or a pattern as rules have it; a folder means all that is below it. */
function excluded(project: Project, text: string): Selector {
  const plain = withoutBrackets(text.trim())
  if (plain.startsWith('#')) return read(project, `tag:${plain}`)
  if (/^(?:tag|prop|folder|path):/.test(plain) || /[*?]/.test(plain) || /\.\w+$/.test(plain))
    return read(project, plain)
  return read(project, `folder:${plain.replace(/^\/+|\/+$/g, '')}`)
}

function read(project: Project, text: string): Selector {
  try {
    return parseSelector(text)
  } catch (error) {
    if (error instanceof Failure) throw wrong(project, `${text.replace(/^[a-z]+:/, '')}: ${error.message}`)
    throw error
  }
}

function wrong({ name, note }: Project, reason: string): Failure {
  return new Failure('invalid-input', `The project ${name} cannot be opened: ${reason}.`, {
    hint: note === undefined ? `Mend projects.${name} in your settings.` : `Mend the properties of ${note}.`,
  })
}
