import type { RememberedGrant } from '../../core/approval/index.js'
import { visibleText } from '../../core/text/index.js'

// Rows of the settings as data. The page draws them with Preact, the plugin with Obsidian's Setting API.

export interface SettingsRow<Action extends string = never> {
  title: string
  about?: string
  /** A command, an address or a rule, as it is written. */
  code?: string
  status?: RowStatus
  facts?: readonly { label: string; text: string }[]
  actions: readonly RowAction<Action>[]
}

export interface RowStatus {
  tone: 'ok' | 'warn' | 'bad' | 'off'
  text: string
}

export interface RowAction<Action extends string> {
  id: Action
  label: string
  /** Shown on a button in its row, where the label would repeat the row. */
  name?: string
  about?: string
  isDanger?: true
}

/** A tool as the settings show it. */
export interface ShownTool {
  name: string
  title: string
  description: string
  category: string
  effects: readonly string[]
  alwaysOn?: boolean | undefined
  /** Why it cannot be switched on. */
  withheld?: string | undefined
}

export interface ToolRow {
  name: string
  title: string
  about: string
  /** True if there is a switch. */
  canSwitch: boolean
  /** Why the switch cannot be used. */
  withheld?: string
  /** Effects beyond reading. */
  badges: readonly string[]
}

export const toolWords = {
  heading: 'Tools',
  about: 'Tools that the model can use. Approvals apply to all of them.',
  alwaysOn: 'Always on',
  guidance: 'Guidance for the model',
  guidanceAbout: 'Instructions that the model gets for using these tools.',
}

/** Tools in groups with headings, in a fixed order. */
export function toolGroups<Tool extends ShownTool>(
  tools: readonly Tool[],
): { heading: string; tools: readonly Tool[] }[] {
  const groups = groupHeadings.map((heading) => ({
    heading,
    tools: tools.filter((tool) => headingOf(tool) === heading),
  }))
  return groups.filter((group) => group.tools.length > 0)
}

const groupHeadings = [
  'Read notes',
  'Change notes',
  'Time',
  'Web and media',
  'From MCP servers',
  'Other tools',
] as const

function headingOf({ category, effects }: ShownTool): (typeof groupHeadings)[number] {
  switch (category) {
    case 'search':
    case 'file':
      return effects.includes('writes') || effects.includes('destroys') ? 'Change notes' : 'Read notes'
    case 'time':
      return 'Time'
    case 'media':
      return 'Web and media'
    case 'mcp':
      return 'From MCP servers'
    default:
      return 'Other tools'
  }
}

const effectBadges: Record<string, string> = {
  writes: 'Changes notes',
  destroys: 'Can delete or overwrite',
  'reaches-network': 'Uses the network',
}

export function toolRow({ name, title, description, effects, alwaysOn, withheld }: ShownTool): ToolRow {
  return {
    name,
    title: visibleText(title).text,
    about: visibleText(withheld ?? description).text,
    canSwitch: !alwaysOn,
    badges: effects.flatMap((effect) => effectBadges[effect] ?? []),
    ...(withheld !== undefined && { withheld }),
  }
}

export const permissionWords = {
  rules: 'Your rules',
  rulesAbout: 'Rules take precedence over the approval level.',
  noRules: 'No rules yet. A rule allows, asks or denies without asking you.',
  grants: 'Remembered choices',
  grantsAbout: 'Requests that you always allow in this vault.',
  noGrants: 'No remembered choices yet. An approval offers to remember your choice.',
  revoke: 'Revoke',
}

/** A rule of the settings, of the vault or of a project. */
export interface ShownRule {
  effect: 'allow' | 'ask' | 'deny'
  rule: string
  from: string
}

const ruleEffects: Record<ShownRule['effect'], RowStatus> = {
  allow: { tone: 'ok', text: 'Allow' },
  ask: { tone: 'warn', text: 'Ask' },
  deny: { tone: 'bad', text: 'Never' },
}

/** Only rules of the user's settings can be revoked here. */
export function ruleRow({ effect, rule, from }: ShownRule): SettingsRow<'revoke'> {
  const isOwn = from === 'config'
  const text = visibleText(rule).text
  return {
    title: ruleInWords(text),
    code: text,
    status: ruleEffects[effect],
    ...(!isOwn && { about: `From ${visibleText(from).text}` }),
    actions: isOwn
      ? [
          {
            id: 'revoke',
            name: permissionWords.revoke,
            label: `Revoke ${ruleEffects[effect].text.toLowerCase()}: ${text}`,
          },
        ]
      : [],
  }
}

export function grantRow({
  rule,
  about,
  createdAt,
  waits,
}: Pick<RememberedGrant, 'rule' | 'about' | 'createdAt' | 'waits'>): SettingsRow<'revoke'> {
  const text = visibleText(rule).text
  const since = `Remembered ${createdAt.slice(0, 10)}`
  return {
    title: about === undefined ? ruleInWords(text) : visibleText(about).text,
    code: text,
    status: ruleEffects.allow,
    about: waits === undefined ? since : `${since}. ${visibleText(waits).text}`,
    actions: [{ id: 'revoke', name: permissionWords.revoke, label: `Revoke ${text}` }],
  }
}

const effectVerbs: Record<string, string> = {
  reads: 'Reading',
  writes: 'Changing',
  destroys: 'Deleting or overwriting',
  'reaches-network': 'Sending to the network',
}

/** Says what a rule is about. A rule that does not fit a known form is returned unchanged. */
function ruleInWords(rule: string): string {
  const [, effect = '', selector = ''] = /^([a-z-]+)\((.*)\)$/s.exec(rule) ?? []
  const verb = effectVerbs[effect]
  if (verb === undefined) return rule
  const [, kind, value = ''] = /^(folder|tag|domain):(.*)$/s.exec(selector) ?? []
  if (kind === 'folder') return `${verb} notes in ${value}`
  if (kind === 'tag') return `${verb} notes tagged ${value.startsWith('#') ? value : `#${value}`}`
  if (kind === 'domain') return `${verb}: ${value}`
  return selector === '**' ? `${verb} any note` : rule
}
