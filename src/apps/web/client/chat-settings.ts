import { useEffect, useState } from 'preact/hooks'
import { count } from '../../../core/text/index.js'
import { type ComposerSetting, conversationSettings, modelChoice, type TranscriptState } from '../../../ui/index.js'
import { getJson } from './ask-server.js'
import type { ModelRow, Overview, ProjectRow } from './overview.js'

/** Settings of a conversation: unchanged until the user chooses others. */
export interface ChatSettings {
  model: string
  mode: string
  consent: string
  /** Its name; '' for the whole vault. */
  project: string
  choose(name: 'model' | 'mode' | 'consent', value: string): void
  setProject(name: string): void
}

interface SettingsChange {
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
  const [chosen, setChosen] = useState<SettingsChange>({})
  const [kept, setKept] = useState<SettingsChange>({})
  useEffect(() => {
    if (session === undefined) return setKept({})
    getJson<SettingsChange>(`sessions/${encodeURIComponent(session)}`).then(setKept, () => setKept({}))
  }, [session])
  const last = turns[turns.length - 1]
  return {
    model: chosen.model ?? last?.model ?? kept.model ?? overview.model,
    mode: chosen.mode ?? last?.mode ?? kept.mode ?? overview.mode,
    consent: chosen.consent ?? kept.consent ?? overview.consent,
    project: (session === undefined ? project : kept.project) ?? '',
    choose: (name, value) => setChosen((before) => ({ ...before, [name]: value })),
    setProject: onProject,
  }
}

interface Offered {
  overview: Overview
  models: readonly ModelRow[]
  projects: readonly ProjectRow[]
  session: string | undefined
  /** Project of the next conversation. */
  project: string
  onProject(name: string): void
  onSession(id: string | undefined): void
  onSettings(section: string): void
}

/** Settings as chips of the composer. */
export function chatSettings(settings: ChatSettings, offered: Offered): ComposerSetting[] {
  const { model, mode, consent, project } = settings
  const { overview, models, projects, session, onSession, onSettings } = offered
  const usable = projects.filter(({ wrong }) => wrong === undefined)
  const inProject: ComposerSetting = {
    name: 'Project',
    value: project,
    icon: 'project',
    choices: [
      { value: '', label: 'Whole vault', about: 'All notes' },
      ...usable.map(({ name, notes }) => ({ value: name, label: name, about: count(notes, 'note') })),
    ],
    onChange(name) {
      settings.setProject(name)
      // Another part of the vault is another chat.
      if (session !== undefined) onSession(undefined)
    },
  }
  // The chosen and the configured model can always be chosen again, also while their server does not answer.
  const known = [...models.filter((one) => one.model !== 'offline')]
  for (const own of [model, overview.model]) {
    if (own !== 'offline' && !known.some((one) => one.model === own)) known.push({ model: own, about: '' })
  }
  const offers = {
    models: [...known.map((one) => modelChoice(one.model, one.about || undefined)), modelChoice('offline')],
    modes: overview.modes,
    levels: overview.levels,
    onSettings,
  }
  const all = conversationSettings({ model, mode, consent }, offers, settings.choose)
  // After the approvals.
  return [...all.slice(0, 1), ...(usable.length > 0 || project !== '' ? [inProject] : []), ...all.slice(1)]
}
