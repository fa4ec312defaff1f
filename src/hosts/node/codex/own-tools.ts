import { Failure } from '../../../core/errors.js'

/** Codex's own abilities that a person can let it have, by the names of `--codex-tools`. */
export const codexTools = ['shell', 'web', 'image', 'agents', 'mcp'] as const

export type CodexTool = (typeof codexTools)[number]

export function readCodexTools(names: readonly string[]): CodexTool[] {
  return names.map((name) => {
    const found = codexTools.find((tool) => tool === name.trim().toLowerCase())
    if (found !== undefined) return found
    throw new Failure('invalid-input', `Codex has no tool ${name.slice(0, 60)} to let it have.`, {
      hint: `There is ${codexTools.join(', ')}.`,
    })
  })
}

/** What each ability is switched off with. Names that a version does not know are passed over by it. */
const switchedOff: Record<Exclude<CodexTool, 'mcp'>, Record<string, unknown>> = {
  shell: { 'features.shell_tool': false, 'features.unified_exec': false, include_apply_patch_tool: false },
  web: {
    web_search: 'disabled',
    'features.web_search_request': false,
    'features.browser_use': false,
    'features.computer_use': false,
  },
  image: { 'features.view_image': false, 'features.image_generation': false, 'tools.view_image': false },
  agents: {
    'agents.enabled': false,
    'features.multi_agent': false,
    'features.multi_agent_v2': false,
    'features.collab': false,
  },
}

/** What no model of ours is for: plans, questions and lessons of a coding agent, and words about its surroundings. */
const always: Record<string, unknown> = {
  'features.goals': false,
  'features.hooks': false,
  'features.memories': false,
  'features.skill_search': false,
  'features.tool_suggest': false,
  'tools.experimental_request_user_input.enabled': false,
  'tools.update_plan.enabled': false,
  'skills.include_instructions': false,
  include_permissions_instructions: false,
  include_environment_context: false,
  include_apps_instructions: false,
  project_doc_max_bytes: 0,
  'analytics.enabled': false,
  // Older versions ask the vendor for its list of models before every thread.
  'features.remote_models': false,
}

/** The configuration of a thread that has no tools of Codex's own but these. `servers`: those of the person's Codex. */
export function threadConfig(allowed: readonly CodexTool[], servers: readonly string[]): Record<string, unknown> {
  const off = Object.entries(switchedOff).flatMap(([tool, config]) =>
    allowed.includes(tool as CodexTool) ? [] : Object.entries(config),
  )
  const config = { ...always, ...Object.fromEntries(off) }
  if (allowed.includes('mcp')) return config
  const disabled = Object.fromEntries(servers.map((name) => [name, { enabled: false }]))
  return { ...config, 'features.apps': false, 'features.plugins': false, mcp_servers: disabled }
}

/** Which ability an item of a turn is the work of: one that is off must not happen, whatever a version offers. */
export function abilityOf({ type, server }: { type: string; server?: string }): CodexTool | undefined {
  // A list of all servers there are, which are none.
  return type === 'mcpToolCall' && server === 'codex' ? undefined : abilities[type]
}

const abilities: Record<string, CodexTool | undefined> = {
  commandExecution: 'shell',
  fileChange: 'shell',
  webSearch: 'web',
  imageView: 'image',
  imageGeneration: 'image',
  collabAgentToolCall: 'agents',
  subAgentActivity: 'agents',
  mcpToolCall: 'mcp',
}
