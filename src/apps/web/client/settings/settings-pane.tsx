import type { ComponentType } from 'preact'
import { useState } from 'preact/hooks'
import { FailureBox, type SaveSetting, type ShownSetting } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { AllSettings } from './all-settings.js'
import { IndexSection } from './index-section.js'
import { ModelsSection } from './models-section.js'
import { PermissionsSection } from './permissions-section.js'
import { ServersSection } from './servers-section.js'
import { ToolsSection } from './tools-section.js'
import { VaultSection } from './vault-section.js'

/** What every section is drawn from. */
export interface SectionProps {
  settings: readonly ShownSetting[]
  save: SaveSetting
}

const sections: Record<string, ComponentType<SectionProps>> = {
  Models: ModelsSection,
  Permissions: PermissionsSection,
  Tools: ToolsSection,
  'MCP servers': ServersSection,
  'Memory and projects': VaultSection,
  Index: IndexSection,
  'All settings': AllSettings,
}

/** What a person can set up, in sections. Kept at once, and in force from the next question on. */
export function SettingsPane({ onChanged }: { onChanged(): void }) {
  const [name, setName] = useState('Models')
  const { answer, trouble, look } = useLoaded<{ settings: ShownSetting[] }>('settings')
  const Section = sections[name]
  const save: SaveSetting = async (key, text) => {
    try {
      await postJson('settings', { key, text })
    } catch (error) {
      return failureOf(error).text
    }
    await look()
    onChanged()
    return undefined
  }
  return (
    <section class="page-settings" aria-label="Settings">
      <h2 class="nw-said">Settings</h2>
      <nav aria-label="Sections of the settings">
        {Object.keys(sections).map((one) => (
          <button key={one} type="button" aria-pressed={one === name} onClick={() => setName(one)}>
            {one}
          </button>
        ))}
      </nav>
      <div class="page-section">
        {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The settings cannot be shown" />}
        {answer && <Section settings={answer.settings} save={save} />}
      </div>
    </section>
  )
}
