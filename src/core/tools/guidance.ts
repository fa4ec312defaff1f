import type { Tool } from './tool.js'

/** What a person's settings say about one tool. A vault has no say in this. */
export interface GuidanceSetting {
  /** Instead of the tool's own. '' for none. */
  guidance?: string
  /** Added to whatever stands. */
  addGuidance?: string
}

/** The second prompt layer of one tool: its own guidance, replaced or extended by the person's settings. */
export function guidanceFor(tool: Tool, setting: GuidanceSetting = {}): string | undefined {
  const parts = [setting.guidance ?? tool.guidance, setting.addGuidance].map((part) => part?.trim())
  return parts.filter(Boolean).join('\n') || undefined
}
