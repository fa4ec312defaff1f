import { findSetting } from '../../core/config/index.js'
import type { ModelWords } from '../../hosts/node/agent-model.js'

/** Advice for people who see the page: there may be no terminal at hand. Links lead to the settings of the page. */
export const pageWords: ModelWords = {
  advice: {
    key: ({ name }) => `Add an API key for ${name} under Settings → Models.`,
    address: ({ name }) => `enter the base URL of ${name} under Settings → Models`,
    models: ({ name }) => `To list its models, test the connection of ${name} under Settings → Models.`,
    setting: (name, value) => `Settings → All settings → ${findSetting(name)?.label ?? name}: ${value}`,
  },
  guidance: (found) => ({
    ...(found[0] !== undefined && { found: { models: found, use: '[Settings → Models](notewright:settings/Models)' } }),
    model: '[Settings → Models](notewright:settings/Models)',
    undo: '**Undo**',
    history: '**Activity**',
    agentMode: '**Agent**',
    enable: () => '[Settings → Tools](notewright:settings/Tools)',
  }),
}
