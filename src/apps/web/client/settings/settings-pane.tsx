import type { ComponentType } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import {
  DrawnIcon,
  FailureBox,
  type IconName,
  type SaveSetting,
  SettingField,
  type ShownSetting,
  Skeleton,
} from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { AccessKeysSection, BrowsersSection } from './access-section.js'
import { ModelsSection } from './models-section.js'
import { PermissionsSection } from './permissions-section.js'
import { ServersSection } from './servers-section.js'
import { ToolsSection } from './tools-section.js'
import { IndexSection, VaultSection } from './vault-section.js'

/** Props shared by all sections. */
export interface SectionProps {
  settings: readonly ShownSetting[]
  save: SaveSetting
}

const sections: Record<string, { icon: IconName; Content: ComponentType<SectionProps> }> = {
  Models: { icon: 'computer', Content: ModelsSection },
  Approvals: { icon: 'shield', Content: PermissionsSection },
  Tools: { icon: 'edit', Content: ToolsSection },
  'MCP servers': { icon: 'graph', Content: ServersSection },
  'Memory and projects': { icon: 'book', Content: VaultSection },
  'Search index': { icon: 'search', Content: IndexSection },
  Browsers: { icon: 'sidebar', Content: BrowsersSection },
  'Access keys': { icon: 'key', Content: AccessKeysSection },
  'All settings': { icon: 'settings', Content: AllSettings },
}

const firstSection = 'Models'

/** Names of the sections, for the command palette. */
export const settingsSections: readonly string[] = Object.keys(sections)

interface SettingsPaneProps {
  /** The shown section; a name that is unknown shows the first. */
  section: string
  onSection(name: string): void
  onChanged(): void
}

/** Settings in sections. Changes are saved immediately and apply from the next question. */
export function SettingsPane({ section, onSection, onChanged }: SettingsPaneProps) {
  const name = Object.hasOwn(sections, section) ? section : firstSection
  const { answer, trouble, look } = useLoaded<{ settings: ShownSetting[] }>('settings')
  const Content = sections[name]?.Content ?? ModelsSection
  const nav = useRef<HTMLElement>(null)
  // Where the sections are a row that scrolls, the shown one may be out of sight.
  useEffect(() => nav.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [name])
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
      <nav ref={nav} aria-label="Sections of the settings">
        {Object.entries(sections).map(([one, { icon }]) => (
          <button
            key={one}
            type="button"
            class="nw-item"
            aria-current={one === name ? 'page' : undefined}
            onClick={() => onSection(one)}
          >
            <DrawnIcon name={icon} />
            <span>{one}</span>
          </button>
        ))}
      </nav>
      <div class="page-section">
        {trouble !== undefined && <FailureBox failure={failureOf(trouble)} title="The settings cannot be shown" />}
        {answer === undefined && trouble === undefined && <Skeleton label="Loading the settings" />}
        {answer && <Content key={name} settings={answer.settings} save={save} />}
      </div>
    </section>
  )
}

/** Every setting there is, by its name in the file. */
function AllSettings({ settings, save }: SectionProps) {
  const [words, setWords] = useState('')
  const wanted = words.toLowerCase().split(/\s+/).filter(Boolean)
  const fits = settings.filter(({ key, about, label, hint }) => {
    const text = `${key} ${about} ${label} ${hint}`.toLowerCase()
    return wanted.every((word) => text.includes(word))
  })
  return (
    <>
      <h3>All settings</h3>
      <input
        type="search"
        aria-label="Find a setting"
        placeholder="Find a setting…"
        value={words}
        onInput={(event) => setWords(event.currentTarget.value)}
      />
      {fits.length === 0 && <p class="nw-remark">No matches. Try fewer words.</p>}
      {fits.length > 0 && (
        <div class="nw-rows">
          {fits.map((setting) => (
            <SettingField key={setting.key} setting={setting} save={save} byName />
          ))}
        </div>
      )}
    </>
  )
}
