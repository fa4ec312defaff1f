import { useState } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import { FailureBox, Fold, type SaveSetting } from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { NamedSettings } from './named-settings.js'
import type { SectionProps } from './settings-pane.js'

interface ToolRow {
  name: string
  title: string
  description: string
  category: string
  effects: string[]
  enabled: boolean
  alwaysOn?: true
}

/** What a model can ask for, by category, each with what it is told about using it. */
export function ToolsSection({ settings, save }: SectionProps) {
  const { answer, trouble, look } = useLoaded<{ tools: ToolRow[] }>('tools')
  const [refused, setRefused] = useState<unknown>()
  async function set(name: string, enabled: boolean): Promise<void> {
    setRefused(undefined)
    try {
      await postJson(`tools/${encodeURIComponent(name)}`, { enabled })
    } catch (error) {
      setRefused(error)
    }
    await look()
  }
  const categories = [...new Set(answer?.tools.map(({ category }) => category))]
  return (
    <>
      <h3>Tools</h3>
      <NamedSettings settings={settings} save={save} names={{ 'tools.calling': 'Offer tools to models' }} />
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="Nothing was changed" />}
      {categories.map((category) => (
        <fieldset key={category} class="page-tools">
          <legend>{category}</legend>
          {answer?.tools
            .filter((tool) => tool.category === category)
            .map((tool) => (
              <Tool key={tool.name} tool={tool} set={(isOn) => set(tool.name, isOn)} save={save} />
            ))}
        </fieldset>
      ))}
    </>
  )
}

function Tool({ tool, set, save }: { tool: ToolRow; set(isOn: boolean): Promise<void>; save: SaveSetting }) {
  const { name, title, enabled, alwaysOn } = tool
  return (
    <div class="page-tool">
      <label class="nw-check">
        <input
          type="checkbox"
          checked={enabled}
          disabled={alwaysOn}
          onChange={(event) => void set(event.currentTarget.checked)}
        />{' '}
        {title} <small>{name}</small> {alwaysOn && <small>always on</small>}
      </label>
      <Fold label={<>More about {title}</>}>{() => <ToolDetails tool={tool} save={save} />}</Fold>
    </div>
  )
}

function ToolDetails({ tool, save }: { tool: ToolRow; save: SaveSetting }) {
  const { answer, trouble, look } = useLoaded<{ guidance: string; addGuidance?: string }>(
    `tools/${encodeURIComponent(tool.name)}`,
  )
  const [draft, setDraft] = useState<string | undefined>()
  const words = draft ?? answer?.addGuidance ?? ''
  const [said, setSaid] = useState('')
  async function add(): Promise<void> {
    setSaid((await save(`tools.${tool.name}.addGuidance`, words)) ?? 'Saved.')
    await look()
  }
  return (
    <>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      <p>{visibleText(tool.description).text}</p>
      <p class="nw-remark">
        {tool.effects.length === 0 ? 'Does nothing but answer.' : `It ${tool.effects.join(', ')}.`}
      </p>
      {answer?.guidance && (
        <>
          <h4>What a model is told about using it</h4>
          <p class="nw-source">{visibleText(answer.guidance).text}</p>
        </>
      )}
      <form
        class="nw-setting-row"
        onSubmit={(event) => {
          event.preventDefault()
          void add()
        }}
      >
        <input
          aria-label={`Your words about using ${tool.name}`}
          placeholder="Your own words besides; empty takes them away"
          value={words}
          onInput={(event) => setDraft(event.currentTarget.value)}
        />
        <button type="submit">Save</button>
      </form>
      <p role="status" class="nw-remark">
        {visibleText(said).text}
      </p>
    </>
  )
}
