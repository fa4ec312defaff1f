import { useState } from 'preact/hooks'
import { visibleText } from '../../../../core/text/index.js'
import {
  FailureBox,
  Fold,
  type SaveSetting,
  SettingField,
  type ShownSetting,
  type ShownTool,
  toolGroups,
  toolRow,
  toolWords,
} from '../../../../ui/index.js'
import { failureOf, postJson } from '../ask-server.js'
import { useLoaded } from '../use-loaded.js'
import { RowSet } from './row.js'
import { SettingGroups } from './setting-groups.js'
import type { SectionProps } from './settings-pane.js'

interface ListedTool extends ShownTool {
  enabled: boolean
}

/** Tools by category, each with the user's instructions for it. */
export function ToolsSection({ settings, save }: SectionProps) {
  const { answer, trouble, look } = useLoaded<{ tools: ListedTool[] }>('tools')
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
  return (
    <>
      <h3>{toolWords.heading}</h3>
      <p class="nw-remark">{toolWords.about}</p>
      <SettingGroups settings={settings} save={save} groups={['tools']} />
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {refused !== undefined && <FailureBox failure={failureOf(refused)} title="Nothing was changed" />}
      {toolGroups(answer?.tools ?? []).map(({ heading, tools }) => (
        <RowSet key={heading} title={heading}>
          <div class="nw-rows">
            {tools.map((tool) => (
              <Tool key={tool.name} tool={tool} set={(isOn) => set(tool.name, isOn)} save={save} />
            ))}
          </div>
        </RowSet>
      ))}
    </>
  )
}

function Tool({ tool, set, save }: { tool: ListedTool; set(isOn: boolean): Promise<void>; save: SaveSetting }) {
  const { name, title, about, canSwitch, withheld, badges } = toolRow(tool)
  return (
    <div class="page-set-row">
      <div class="nw-row-line">
        <span class="nw-grow">
          <b>{title}</b>
          <span class="nw-facts-line">{firstSentence(about)}</span>
        </span>
        {badges.map((badge) => (
          <span key={badge} class="nw-badge nw-badge-warn page-wide">
            {badge}
          </span>
        ))}
        {canSwitch ? (
          <input
            type="checkbox"
            role="switch"
            aria-label={title}
            aria-checked={tool.enabled}
            checked={tool.enabled}
            disabled={withheld !== undefined}
            onChange={(event) => void set(event.currentTarget.checked)}
          />
        ) : (
          <span class="nw-remark">{toolWords.alwaysOn}</span>
        )}
      </div>
      <div class="page-set-open">
        <Fold label={<>Details of {title}</>}>
          {() => (
            <>
              <p>{about}</p>
              <p class="nw-remark">
                Name: <code>{name}</code>
                {badges.length > 0 && `. ${badges.join('. ')}.`}
              </p>
              <ToolGuidance name={name} save={save} />
            </>
          )}
        </Fold>
      </div>
    </div>
  )
}

/** The beginning of a description, which a model reads in full. */
const firstSentence = (text: string): string => /^.*?[.](?=\s|$)/s.exec(text)?.[0] ?? text

interface ToolGuidanceAnswer {
  guidance: string
  settings: ShownSetting[]
}

/** The tool's guidance for the model, and the instructions of the user. */
function ToolGuidance({ name, save }: { name: string; save: SaveSetting }) {
  const { answer, trouble, look } = useLoaded<ToolGuidanceAnswer>(`tools/${encodeURIComponent(name)}`)
  const saveAndLook: SaveSetting = async (key, text) => {
    const refused = await save(key, text)
    await look()
    return refused
  }
  return (
    <>
      {trouble !== undefined && <FailureBox failure={failureOf(trouble)} />}
      {answer?.guidance && (
        <>
          <h5>{toolWords.guidance}</h5>
          <p class="nw-source">{visibleText(answer.guidance).text}</p>
        </>
      )}
      {answer?.settings.map((setting) => (
        <SettingField key={setting.key} setting={setting} save={saveAndLook} />
      ))}
    </>
  )
}
