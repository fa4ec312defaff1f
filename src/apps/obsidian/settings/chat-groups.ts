import type { SettingDefinition, SettingDefinitionGroup } from 'obsidian'
import { type ConsentLevel, consentLevels, levelTexts } from '../../../core/approval/index.js'
import { choiceRow, toggleRow, typedRow } from './rows.js'
import type { PageParts } from './settings-page.js'

const modeNames = { agent: 'Agent', 'vault-qa': 'Vault QA', plan: 'Plan', chat: 'Chat' }
const levelNames: Record<ConsentLevel, string> = {
  'read-only': 'Read only',
  ask: 'Ask first',
  'ask-all': 'Ask for everything',
  edit: 'Edit freely',
  auto: 'Never ask',
  locked: 'Locked',
}

/** Who answers, how, about what, and how much the person is asked. */
export function answeringRows({ plugin, known, text, save }: PageParts): SettingDefinition[] {
  const model = text('model')
  const models = [...new Set(['offline', model, ...plugin.settings.models])]
  const { project } = plugin.settings
  const projects = [...new Set([...known.projects, ...(project ? [project] : [])])]
  return [
    choiceRow(
      { key: 'model', name: 'Default model', desc: aboutModel },
      Object.fromEntries(models.map((name) => [name, name])),
    ),
    typedRow({
      key: 'model',
      name: 'Model by name',
      desc: 'For a model that is not in the list: provider/model, as ollama/qwen3:8b or openai/gpt-5.',
      placeholder: 'provider/model',
      value: () => text('model'),
      save,
    }),
    choiceRow(
      {
        key: 'mode',
        name: 'Mode',
        desc: 'Agent: the model uses tools until it has the answer. Vault QA: notes are searched first, then one answer is written from them. Plan: the model names its tools once. Chat: no tools.',
      },
      modeNames,
    ),
    choiceRow(
      {
        key: 'project',
        name: 'Project',
        desc: 'The part of the vault that new conversations are about. Everything outside of it is not there for them.',
      },
      { '': 'The whole vault', ...Object.fromEntries(projects.map((name) => [name, name])) },
    ),
    choiceRow(
      {
        key: 'consent',
        name: 'Consent',
        desc: consentLevels.map((level) => `${levelNames[level]}: ${levelTexts[level]}.`).join(' '),
      },
      levelNames,
    ),
  ]
}

const aboutModel =
  'Who answers. Offline: your notes are searched and quoted, and nothing is sent. Test connection on the page of a provider brings its models into this list.'

export function chatBehaviorGroup({ text, save }: PageParts): SettingDefinitionGroup {
  return {
    type: 'group',
    heading: 'Chat behavior',
    items: [
      toggleRow({ key: 'stream', name: 'Stream', desc: 'Show answers while they are written.' }),
      toggleRow({
        key: 'generateAtCursor',
        name: 'Generate at cursor',
        desc: 'In a note that is a conversation, the answer comes where the cursor is. Off: at the end of the note.',
      }),
      toggleRow({
        key: 'autoInferTitle',
        name: 'Infer title automatically',
        desc: 'A note that is a conversation is named after what it is about. Links to it follow.',
      }),
      toggleRow({
        key: 'enableToolCalling',
        name: 'Enable AI tool calling',
        desc: 'Allow the AI to use tools like vault search and file reading. What it reads is sent to the provider of the model. Every call is asked for as Consent says. ⚠️ Tools may access your vault data. Off: a language model answers without your notes. Offline answers are not concerned.',
      }),
      typedRow({
        key: 'pluginSystemMessage',
        name: 'System message',
        desc: 'Your own words to the model, part of every conversation: how to answer, what to heed.',
        isLong: true,
        value: () => text('pluginSystemMessage'),
        save,
      }),
      {
        name: 'Heading level',
        desc: 'Of role::user and role::assistant in a note that is a conversation. 0: no headings.',
        control: { type: 'number', key: 'headingLevel', min: 0, max: 6, step: 1 },
      },
    ],
  }
}
