import type { SettingDefinition, SettingDefinitionItem, SettingGroupItem } from 'obsidian'
import { visibleText } from '../../../core/text/index.js'
import { defaultToolset, type Registry, type Tool, toolId, toolNamed } from '../../../core/tools/index.js'
import { type Save, typedRow } from './rows.js'

const headings: Record<string, string> = {
  search: 'Search tools',
  time: 'Time tools',
  file: 'File tools',
  media: 'Web and media tools',
  mcp: 'Tools of servers',
  custom: 'Other tools',
}

interface Guidance {
  /** What the person has written for a tool. */
  written: (name: string) => string
  save: Save
}

/** A group of switches for each category of the registry; what is always on is shown without one. */
export function toolGroups(registry: Registry, guidance: Guidance): SettingDefinitionItem[] {
  return [...registry.byCategory()].map(([category, tools]) => {
    const items: SettingGroupItem[] = [...tools.map(switchOf), guidancePage(headings[category], tools, guidance)]
    return { type: 'group', heading: headings[category], items }
  })
}

function switchOf({ name, title, description, alwaysOn, withheld }: Tool): SettingDefinition {
  const shown = { name: visibleText(title).text, desc: visibleText(withheld ?? description).text, aliases: [name] }
  if (alwaysOn) return { ...shown, desc: `Always on. ${shown.desc}` }
  return { ...shown, control: { type: 'toggle', key: `tool:${name}`, disabled: withheld !== undefined } }
}

function guidancePage(heading: string, tools: readonly Tool[], { written, save }: Guidance): SettingGroupItem {
  return {
    type: 'page',
    name: `Guidance: ${heading.toLowerCase()}`,
    desc: 'What a model is told about using each of them.',
    items: tools.map(({ name, title, guidance }) =>
      typedRow({
        key: `tools.${name}.guidance`,
        name: visibleText(title).text,
        desc: 'Counts instead of what the tool says itself. Empty: as it says itself.',
        placeholder: guidance ?? '',
        isLong: true,
        value: () => written(name),
        save,
      }),
    ),
  }
}

/** Names of the tools that are on. */
export function toolsOn(registry: Registry, enabled: readonly string[] | undefined): Set<string> {
  if (enabled === undefined) return defaultToolset(registry)
  return new Set(enabled.flatMap((id) => toolNamed(id, registry)?.tool.name ?? []))
}

/** The list with one tool switched. What is not there at the moment, as a tool of a server, keeps its place. */
export function withTool(
  registry: Registry,
  enabled: readonly string[] | undefined,
  id: string,
  isOn: boolean,
): string[] {
  const on = toolsOn(registry, enabled)
  const found = toolNamed(id, registry)
  const awaited = (enabled ?? []).filter((each) => toolNamed(each, registry) === undefined && each !== id)
  const kept = registry.all().filter((one) => on.has(one.tool.name) && one !== found)
  const ids = [...kept.map((one) => foreignId(one) ?? toolId(one)), ...awaited]
  return isOn ? [...ids, found ? (foreignId(found) ?? toolId(found)) : id] : ids
}

const foreignId = ({ foreign }: { foreign?: { server: string; tool: string } }): string | undefined =>
  foreign && `${foreign.server}/${foreign.tool}`
