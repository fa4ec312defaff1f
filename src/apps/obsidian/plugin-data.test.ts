import { describe, expect, it } from 'vitest'
import { readPluginSettings } from './plugin-data.js'

describe('the settings of the plugin', () => {
  it('are the careful ones where nothing is written, or nothing that makes sense', () => {
    const careful = {
      stream: true,
      generateAtCursor: false,
      autoInferTitle: false,
      enableToolCalling: false,
      pluginSystemMessage: '',
      headingLevel: 2,
      config: {},
      secrets: {},
      serverSecrets: {},
      addresses: {},
      models: [],
      project: '',
      debug: false,
    }
    for (const data of [undefined, null, 7, [], {}, { config: 'x', secrets: [1], headingLevel: 9, stream: 'no' }]) {
      expect(readPluginSettings(data)).toEqual(careful)
    }
  })

  it('are read under the names that other plugins have for them, and our own come first', () => {
    const brought = { enableAutonomousAgent: true, autonomousAgentEnabledToolIds: ['localSearch', '', 3] }
    expect(readPluginSettings(brought).config).toEqual({ mode: 'agent', tools: { enabled: ['localSearch'] } })
    expect(readPluginSettings({ enableAutonomousAgent: false }).config).toEqual({})
    const ours = { mode: 'plan', tools: { enabled: ['read_note'] } }
    expect(readPluginSettings({ ...brought, config: ours }).config).toEqual(ours)
  })

  it('are read from the places they have on the command line', () => {
    const config = { stream: false, instructions: 'Be brief.', tools: { calling: true } }
    expect(readPluginSettings({ config })).toMatchObject({
      stream: false,
      pluginSystemMessage: 'Be brief.',
      enableToolCalling: true,
    })
  })
})
