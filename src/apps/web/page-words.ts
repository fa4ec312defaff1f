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
    model: `${foundSentence(found)}Choose one under [Settings → Models](notewright:settings/Models).`,
    undo: 'the *Undo* button',
    history: 'the view *Activity*',
    agentMode: 'choose *Agent* below the question',
    enable: () => 'Turn it on under [Settings → Tools](notewright:settings/Tools).',
  }),
}

const mostNamed = 3

function foundSentence(found: readonly string[]): string {
  if (found.length === 0) return ''
  const named = found.slice(0, mostNamed).map((model) => `\`${model}\``)
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more` : ''
  return `Found on this computer: ${named.join(', ')}${more}. `
}
