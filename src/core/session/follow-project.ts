import { type Rule, screenNotes } from '../approval/index.js'
import { Failure } from '../errors.js'
import type { OpenedProject } from './open-project.js'
import { changeModel, type SessionParts, tellOnce } from './session-parts.js'

/** A project that is entered has something in it. */
async function mustMatch(
  { vault }: Pick<SessionParts, 'vault'>,
  { project }: OpenedProject,
  rules: readonly Rule[],
): Promise<void> {
  const { index } = screenNotes({ vault: vault.notebook.vault, index: vault.notebook.index }, rules)
  // A note with a property `tags` carries them itself.
  if ((await index.notes()).some(({ path }) => path !== project.note)) return
  throw new Failure('not-found', `The project ${project.name} matches no note.`, {
    hint: `See what ${project.note ?? `projects.${project.name} of your settings`} asks for.`,
    command: `notewright projects show "${project.name}"`,
  })
}

/** Works as the project asks, as far as it may and the person has not said otherwise for this session. */
export async function followProject(parts: SessionParts, isChanged = false): Promise<void> {
  const { opened, options, guard, way, isResumed } = parts
  if (opened !== undefined) await mustMatch(parts, opened, parts.rules)
  const { model, mode, consent, notices = [] } = opened?.wishes ?? {}
  const isNote = opened?.project.note !== undefined
  for (const text of notices) tellOnce(parts, text)
  const wished = options.model === undefined && !isResumed ? model : undefined
  if (wished !== undefined || isChanged) {
    const name = wished ?? way.model
    if (name !== parts.modelName) {
      if (isChanged) await changeModel(parts, name)
      else parts.modelName = name
    }
  }
  // A note restricts whatever was said; the settings are what is meant where nothing was.
  const mayMode = isNote || (options.mode === undefined && !isResumed)
  parts.mode = (mayMode ? mode : undefined) ?? (isChanged ? way.mode : parts.mode)
  const mayConsent = isNote || (options.consent === undefined && !isResumed)
  guard.level = (mayConsent ? consent : undefined) ?? (isChanged ? way.consent : guard.level)
}
