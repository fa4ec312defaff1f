import { useEffect, useState } from 'preact/hooks'
import { type ComposerSetting, conversationSettings, type TranscriptState } from '../../../ui/index.js'
import { getJson } from './ask-server.js'
import type { ModelRow, Overview, ProjectRow } from './overview.js'

/** How a conversation goes on: as it was, until the person chooses something else. */
export interface ChatSettings {
  model: string
  mode: string
  consent: string
  /** Its name; '' for the whole vault. */
  project: string
  choose(name: 'model' | 'mode' | 'consent', value: string): void
  setProject(name: string): void
}

interface Wish {
  model?: string
  mode?: string
  consent?: string
  project?: string
}

export function useChatSettings(
  overview: Overview,
  { turns }: TranscriptState,
  { session, project, onProject }: Pick<Offered, 'session' | 'project' | 'onProject'>,
): ChatSettings {
  const [wish, setWish] = useState<Wish>({})
  const [kept, setKept] = useState<Wish>({})
  useEffect(() => {
    if (session === undefined) return setKept({})
    getJson<Wish>(`sessions/${encodeURIComponent(session)}`).then(setKept, () => setKept({}))
  }, [session])
  const last = turns[turns.length - 1]
  return {
    model: wish.model ?? last?.model ?? kept.model ?? overview.model,
    mode: wish.mode ?? last?.mode ?? kept.mode ?? overview.mode,
    consent: wish.consent ?? kept.consent ?? overview.consent,
    project: (session === undefined ? project : kept.project) ?? '',
    choose: (name, value) => setWish((before) => ({ ...before, [name]: value })),
    setProject: onProject,
  }
}

interface Offered {
  overview: Overview
  models: readonly ModelRow[]
  projects: readonly ProjectRow[]
  session: string | undefined
  /** That the next conversation is in. */
  project: string
  onProject(name: string): void
  onSession(id: string | undefined): void
}

/** What stands beside Send. */
export function chatSettings(settings: ChatSettings, offered: Offered): ComposerSetting[] {
  const { model, mode, consent, project } = settings
  const { overview, models, projects, session, onSession } = offered
  const known = models.some((one) => one.model === model) ? models : [{ model, about: 'set up' }, ...models]
  const usable = projects.filter(({ wrong }) => wrong === undefined)
  const inProject: ComposerSetting = {
    name: 'Project',
    value: project,
    choices: [
      { value: '', label: 'whole vault' },
      ...usable.map(({ name, notes }) => ({ value: name, label: name, about: `${notes} notes` })),
    ],
    onChange(name) {
      settings.setProject(name)
      // Another part of the vault is another conversation.
      if (session !== undefined) onSession(undefined)
    },
  }
  const offers = {
    models: known.map((one) => ({ value: one.model, label: one.model, about: one.about })),
    modes: overview.modes,
    levels: overview.levels,
  }
  return [
    ...conversationSettings({ model, mode, consent }, offers, settings.choose),
    ...(usable.length > 0 || project !== '' ? [inProject] : []),
  ]
}
