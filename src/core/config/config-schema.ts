import * as z from 'zod/mini'
import { modes } from '../agent/index.js'
import { consentLevels, levelDescriptions, levelNames, levelTexts } from '../approval/index.js'
import { canKeepMemories, defaultMemoryNote } from '../memory.js'

// The schema of all settings: defaults, checks and reference texts. First the parts that other rooms use on their own.

export const settingTexts = z.registry<SettingText>()

const textRecord = z.record(z.string(), z.string())

// The texts of a server's fields make the forms of page, plugin and terminal (`serverForms` in core/mcp).
const commonFields = {
  disabled: z.optional(z.boolean()),
  timeoutMs: z.optional(z.int().check(z.minimum(100), z.maximum(3_600_000))).register(settingTexts, {
    label: 'Timeout in milliseconds',
    about: 'How long one call of its tools may take.',
    expects: 'a whole number of milliseconds from 100 to 3600000',
    placeholder: '30000',
  }),
}

/** A program that is started and used over its standard input and output. */
export const localServer = z.strictObject({
  type: z.optional(z.literal('stdio')),
  command: z.string().check(z.minLength(1)).register(settingTexts, {
    label: 'Program',
    about: 'Its name or its full path. It is started without a shell.',
    expects: 'the name or the path of a program',
    placeholder: 'npx',
  }),
  args: z.optional(z.array(z.string())).register(settingTexts, {
    label: 'Arguments',
    about: 'One per line. Each is passed to the program unchanged.',
    expects: 'a list of texts',
    placeholder: '-y',
  }),
  env: z.optional(textRecord).register(settingTexts, {
    label: 'Environment variables',
    about:
      'Added to PATH, HOME, LANG and the temporary folder, and stored with the settings. ${NAME} stands for a variable of your own environment.',
    expects: 'names with values, e.g. {"TOKEN": "${MY_TOKEN}"}',
    placeholder: 'TOKEN=${MY_TOKEN}',
  }),
  cwd: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
    label: 'Working folder',
    about: 'The folder the program runs in.',
    expects: 'the path of a folder',
    placeholder: '/home/me/data',
  }),
  ...commonFields,
})

/** An address with environment variables is checked only when it is used. */
const webAddress = z.string().check(z.refine((text) => /\$\{/.test(text) || /^https?:\/\/[^/\s]/i.test(text)))

/** A server at a web address. */
export const remoteServer = z.strictObject({
  type: z.optional(z.enum(['http', 'streamable-http'])),
  url: webAddress.register(settingTexts, {
    label: 'Address',
    about: 'The address where it serves MCP over HTTP.',
    expects: 'an address like https://example.org/mcp',
    placeholder: 'https://example.org/mcp',
  }),
  headers: z.optional(textRecord).register(settingTexts, {
    label: 'Headers',
    about:
      'For an API key, if it needs one. Values are stored with your keys, sent only to this address, and never shown again.',
    expects: 'names with values, e.g. {"Authorization": "Bearer ${MY_TOKEN}"}',
    placeholder: 'Authorization=Bearer …',
    secret: true,
  }),
  ...commonFields,
})

/** One entry of `mcpServers`, in the format of other programs. */
const serverSetting = z.union([localServer, remoteServer])
export type ServerSetting = z.infer<typeof serverSetting>

/** Servers by a name that rules can use, as in `mcp(server/tool)`. */
export const serverSettings = z.record(z.string().check(z.regex(/^[A-Za-z0-9][\w.-]{0,39}$/)), serverSetting)

const textList = z.array(z.string().check(z.minLength(1)))
const plainValue = z.union([z.string(), z.number(), z.boolean()])

/** The settings of a project: under `projects.<name>`, or as properties of a note. */
export const projectSetting = z.strictObject({
  folders: z.optional(textList),
  tags: z.optional(textList),
  notes: z.optional(textList),
  properties: z.optional(z.record(z.string(), z.union([plainValue, z.array(plainValue)]))),
  exclude: z.optional(textList),
  model: z.optional(z.string().check(z.minLength(1))),
  mode: z.optional(z.enum(modes)),
  consent: z.optional(z.enum(consentLevels)),
  tools: z.optional(textList),
  guidance: z.optional(z.record(z.string(), z.string())),
  instructions: z.optional(z.string()),
})

export type ProjectSetting = z.infer<typeof projectSetting>

/** Completes "folders must be …". */
export const projectSettingTexts: Record<keyof ProjectSetting, { about: string; expects: string }> = {
  folders: { about: 'Folders whose notes belong to the project.', expects: 'a list of folders, e.g. ["Garden"]' },
  tags: { about: 'Tags whose notes belong to the project.', expects: 'a list of tags, e.g. ["#garden"]' },
  notes: {
    about: 'Single notes that belong to the project.',
    expects: 'a list of notes, e.g. ["Soil", "Plans/2026.md"]',
  },
  properties: {
    about: 'Notes with these property values belong to the project.',
    expects: 'names with values, e.g. {"area": "garden"}',
  },
  exclude: {
    about: 'Exceptions that do not belong to the project: folders, notes, patterns or #tags.',
    expects: 'a list of folders, notes, patterns or #tags',
  },
  model: { about: 'The model to use in the project.', expects: 'a model as provider/model, or offline' },
  mode: { about: 'The mode to use in the project.', expects: modes.join(', ') },
  consent: { about: 'The approval level in the project.', expects: consentLevels.join(', ') },
  tools: { about: 'The tools that are enabled in the project.', expects: 'a list of tool names' },
  guidance: { about: 'Guidance for single tools, added in the project.', expects: 'tool names, each with text' },
  instructions: { about: 'Custom instructions for the project.', expects: 'text' },
}

/** The description of a setting for the reference page and for error messages. */
export interface SettingText {
  about: string
  /** Completes the sentence "search.limit must be …". */
  expects: string
  /** Environment variables of other programs, besides the NOTEWRIGHT_… name every setting has. */
  environment?: string[]
  /** Never shown in full. */
  secret?: true
  /** Its group in the settings of the page and the plugin. Without one it is listed under its name, with all others. */
  group?: SettingGroup
  /** Its label there. Default: its name. */
  label?: string
  /** Its description there. Default: `about`. */
  hint?: string
  /** An example, shown in an empty field. */
  placeholder?: string
  /** Labels of its choices; `''` is the label of no choice. */
  choices?: Readonly<Record<string, string>>
  /** A sentence for each of its choices: they are listed with it instead of in a drop-down list. */
  choiceTexts?: Readonly<Record<string, string>>
  /** A text of several lines. */
  isLong?: true
  /** Has no effect in Obsidian, so the plugin does not show it. */
  onlyNode?: true
}

/** The groups of settings with their headings, as the page and the plugin show them. */
export const settingGroups = {
  answers: 'Models',
  consent: 'Permissions',
  models: 'Models of your own',
  chat: 'Chat behavior',
  tools: 'Tools',
  privacy: 'Privacy and rules',
  web: 'Web search',
  memory: 'Memory',
  index: 'Index',
  kept: 'Storage',
}
export type SettingGroup = keyof typeof settingGroups

const rules = () => z._default(z.array(z.string().check(z.minLength(1))), [])

/** The settings of one tool, as `tools.<name>.guidance`. */
export const toolSetting = z.strictObject({ guidance: z.optional(z.string()), addGuidance: z.optional(z.string()) })

const window = z.int().check(z.minimum(1024), z.maximum(10_000_000))
const stallSeconds = z.int().check(z.minimum(1), z.maximum(86_400))
const minutes = z.number().check(z.positive(), z.maximum(1440))
const steps = z.int().check(z.minimum(1), z.maximum(50))
const temperature = z.number().check(z.minimum(0), z.maximum(2))
const thinking = z.union([z.enum(['off', 'on']), z.int().check(z.minimum(1), z.maximum(1_000_000))])

/** The settings of one model, as `models.<provider/model>.window`. They take precedence over the general ones. */
export const modelSetting = z.strictObject({
  window: z.optional(window),
  pictures: z.optional(z.boolean()),
  stallSeconds: z.optional(stallSeconds),
  minutes: z.optional(minutes),
  steps: z.optional(steps),
  stream: z.optional(z.boolean()),
  temperature: z.optional(temperature),
  thinking: z.optional(thinking),
  instructions: z.optional(z.string()),
})

const price = z.number().check(z.minimum(0), z.maximum(1_000_000))

/** The price of one model, as `prices.<provider/model>`. */
export const priceSetting = z.strictObject({
  input: price,
  output: price,
  cached: z.optional(price),
  cacheWrite: z.optional(price),
})

/** The tools offered to models with a small context window. */
const coreTools = [
  'search_notes',
  'query_notes',
  'list_backlinks',
  'read_note',
  'write_note',
  'edit_note',
  'append_note',
  'update_frontmatter',
  'create_daily_note',
  'rename_note',
  'undo_changes',
]

// Each section is prefaulted with {}, so that an empty file means all defaults.
export const configSchema = z.strictObject({
  vault: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
    about: 'The vault to use if no flag or environment variable names one. A leading `~` means your home folder.',
    expects: 'the path of a folder',
    environment: ['OBSIDIAN_VAULT_PATH'],
    onlyNode: true,
  }),
  exclude: z._default(z.array(z.string().check(z.minLength(1))), []).register(settingTexts, {
    about:
      'Notes to hide from search, links, reading and editing, as patterns in gitignore syntax. They are added to the `.notewrightignore` file of the vault.',
    expects: 'a list of patterns, e.g. ["Journal/", "*.draft.md"]',
    group: 'privacy',
    label: 'Never share',
    hint: 'Notes and folders to hide from search, reading and writing, as patterns in gitignore syntax. Notes with private: true and paths in .notewrightignore are also hidden. Files that you excluded in Obsidian are left out of search.',
    placeholder: 'Journal/',
  }),
  color: z._default(z.enum(['auto', 'always', 'never']), 'auto').register(settingTexts, {
    about: 'Colors in the terminal. `auto` uses colors if the output is a terminal and `NO_COLOR` is not set.',
    expects: 'auto, always or never',
    onlyNode: true,
  }),
  model: z._default(z.string().check(z.minLength(1)), 'offline').register(settingTexts, {
    about:
      'The model to use, as `provider/model`: `ollama/qwen3:8b`, `openai/gpt-5`. `offline` searches and quotes your notes without a language model. `notewright models` lists the available models.',
    expects: 'a model as provider/model, or offline',
    group: 'answers',
    label: 'Default model',
  }),
  dialect: z._default(z.string().check(z.minLength(1)), 'auto').register(settingTexts, {
    about:
      "How models call tools. `auto`: through the provider's protocol where that is known to work; otherwise Notewright tests the model once and remembers the result. `native`, `sentinel` and `use-tool` apply to every model.",
    expects: 'auto, native, sentinel or use-tool',
    group: 'models',
    label: 'Tool calls',
    choices: {
      auto: 'Automatic',
      native: "The provider's protocol",
      sentinel: 'As text: sentinel',
      'use-tool': 'As text: use-tool',
    },
  }),
  mode: z._default(z.enum(modes), 'agent').register(settingTexts, {
    about:
      'How questions are answered. `agent`: the model calls tools until it can answer. `vault-qa`: one search, then one answer. `plan`: the model plans all calls at once. `chat`: no tools.',
    expects: 'agent, chat, vault-qa or plan',
    group: 'answers',
    label: 'Mode',
    hint: 'Agent: the model uses tools until it can answer. Quick answer: one search, then one answer. Plan first: the model plans all calls at once. Without notes: no tools.',
    choices: { agent: 'Agent', 'vault-qa': 'Quick answer', plan: 'Plan first', chat: 'Without notes' },
  }),
  stream: z._default(z.boolean(), true).register(settingTexts, {
    about: 'Show answers while the model writes them. If off, each reply arrives as a whole.',
    expects: 'true or false',
    group: 'chat',
    label: 'Stream',
    hint: 'Show answers while the model writes them.',
  }),
  temperature: z.optional(temperature).register(settingTexts, {
    about: 'Sampling temperature, 0–2. Default: the default of the provider. Not sent to models that reject it.',
    expects: 'a number from 0 to 2',
  }),
  thinking: z.optional(thinking).register(settingTexts, {
    about:
      'Whether the model reasons before it answers, or the number of tokens for reasoning. Default: depends on the model.',
    expects: 'off, on, or a number of tokens',
  }),
  instructions: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
    about: 'Custom instructions, sent to every model as part of the system message.',
    expects: 'text',
    group: 'chat',
    label: 'Custom instructions',
    isLong: true,
  }),
  turn: z.prefault(
    z.strictObject({
      minutes: z._default(minutes, 5).register(settingTexts, {
        about:
          'Time limit for one request in minutes. Then the model answers from what it has found. Time spent waiting for you, or for a local server to read the prompt, does not count.',
        expects: 'a number of minutes, at most 1440',
      }),
      steps: z.optional(steps).register(settingTexts, {
        about: 'Maximum model calls per request. Default: 10, or 8 for small models.',
        expects: 'a whole number from 1 to 50',
      }),
    }),
    {},
  ),
  models: z.prefault(
    z.catchall(
      z.object({
        window: z.optional(window).register(settingTexts, {
          about:
            'Context window in tokens, for the chat and the answer together. Default: reported by the server. For Ollama, this also sets the size.',
          expects: 'a whole number of tokens from 1024 up',
          group: 'models',
          label: 'Context window',
          placeholder: 'Reported by the server',
        }),
        pictures: z.optional(z.boolean()).register(settingTexts, {
          about:
            'Whether to send pictures to models. Default: depends on the model name. For one model: `models.lmstudio/my-model.pictures`.',
          expects: 'true or false',
        }),
        stallSeconds: z._default(stallSeconds, 60).register(settingTexts, {
          about:
            'Timeout in seconds if a model stops sending. Servers on your own computer or network get five times as long for the first word, because they read the prompt first.',
          expects: 'a whole number of seconds from 1 to 86400',
          group: 'models',
          label: 'Timeout in seconds',
        }),
      }),
      modelSetting,
    ),
    {},
  ),
  codex: z.prefault(
    z.strictObject({
      path: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about: 'Path of the program `codex`, for models named `codex/…`. Default: the first one on `PATH`.',
        expects: 'the path of a program',
        onlyNode: true,
      }),
      tools: z._default(z.array(z.string().check(z.minLength(1))), []).register(settingTexts, {
        about:
          "Codex's own tools that it may use: `shell`, `web`, `image`, `agents`, and `mcp` for the servers in its own configuration. They read files and run commands without asking you. Default: none.",
        expects: 'a list of shell, web, image, agents and mcp',
        onlyNode: true,
      }),
      environment: z._default(z.array(z.string().check(z.minLength(1))), []).register(settingTexts, {
        about:
          'Names of additional environment variables to pass to Codex, e.g. the `env_key` of a model provider in its own configuration.',
        expects: 'a list of names, e.g. ["AZURE_OPENAI_API_KEY"]',
        onlyNode: true,
      }),
    }),
    {},
  ),
  prices: z._default(z.record(z.string(), priceSetting), {}).register(settingTexts, {
    about:
      'Prices of models in US dollars per million tokens. They take precedence over the built-in prices: `{"openai/gpt-5": {"input": 1.25, "output": 10, "cached": 0.125}}`. For one model: `prices.openai/gpt-5`.',
    expects: 'an object of models, each with input, output and optionally cached and cacheWrite',
  }),
  search: z.prefault(
    z.strictObject({
      limit: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 10).register(settingTexts, {
        about: 'Maximum number of search results.',
        expects: 'a whole number from 1 to 1000',
      }),
      rank: z._default(z.enum(['hybrid', 'lexical', 'semantic']), 'hybrid').register(settingTexts, {
        about: 'How search results are ranked: by words and meaning, by words only, or by meaning only.',
        expects: 'hybrid, lexical or semantic',
      }),
    }),
    {},
  ),
  index: z.prefault(
    z.strictObject({
      vectors: z._default(z.boolean(), true).register(settingTexts, {
        about:
          'Build a semantic index, so that search also finds notes by meaning. It is computed from your notes alone, and nothing is downloaded.',
        expects: 'true or false',
        group: 'index',
        label: 'Semantic index',
      }),
    }),
    {},
  ),
  embeddings: z.prefault(
    z.strictObject({
      model: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about:
          'An embeddings model, so that search also finds notes that share no word with the question: `ollama/nomic-embed-text`, `openai/text-embedding-3-small`, `gemini/gemini-embedding-001`. Passages of your notes are sent to its provider, but only after you agree: `notewright index` asks.',
        expects: 'a model as provider/model, e.g. ollama/nomic-embed-text',
        group: 'index',
        label: 'Embeddings model',
        onlyNode: true,
      }),
      sendTo: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about:
          'For scripts: the host that may receive passages from the notes of every vault, and search queries, without asking. Use the name that `notewright index` shows.',
        expects: 'a host, e.g. api.openai.com or 127.0.0.1:11434',
        onlyNode: true,
      }),
    }),
    {},
  ),
  consent: z._default(z.enum(consentLevels), 'ask').register(settingTexts, {
    about:
      'Approval level. `ask`: reading is allowed, everything else needs approval. `edit`: edits are also allowed. `ask-all`: every call needs approval. `read-only`: nothing is changed or sent. `auto`: everything is allowed unless a rule denies it. `locked`: for scripts; without an allow rule, everything but reading is denied.',
    expects: 'read-only, ask-all, ask, edit, auto or locked',
    group: 'consent',
    label: 'Approvals',
    hint: consentLevels.map((level) => `${levelNames[level]}: ${levelTexts[level]}.`).join(' '),
    choices: Object.fromEntries(consentLevels.map((level) => [level, levelNames[level]])),
    choiceTexts: levelDescriptions,
  }),
  permissions: z.prefault(
    z.strictObject({
      allow: rules().register(settingTexts, {
        about: 'Rules for calls that are allowed without asking, e.g. `edit_note(Projects/**)`.',
        expects: 'a list of rules, e.g. ["append_note(Inbox/**)"]',
        group: 'privacy',
        label: 'Always allow',
        placeholder: 'append_note(Inbox/**)',
      }),
      ask: rules().register(settingTexts, {
        about:
          'Rules for calls that always need approval. They take precedence over `allow` and over remembered choices.',
        expects: 'a list of rules, e.g. ["writes(folder:Journal)"]',
        group: 'privacy',
        label: 'Always ask',
        placeholder: 'writes(folder:Journal)',
      }),
      deny: rules().register(settingTexts, {
        about: 'Rules for calls that are always denied. They take precedence over everything else.',
        expects: 'a list of rules, e.g. ["reads(folder:Private)"]',
        group: 'privacy',
        label: 'Never allow',
        placeholder: 'reads(folder:Private)',
      }),
    }),
    {},
  ),
  tools: z.prefault(
    z.catchall(
      z.object({
        enabled: z.optional(z.array(z.string().check(z.minLength(1)))).register(settingTexts, {
          about:
            'Names of the enabled tools; a tool of an MCP server as `server/tool`. `default` stands for all vault and time tools, and none that access the network; `-name` disables one of them. Default: `default`.',
          expects: 'a list of tool names, e.g. ["search_notes", "read_note"]',
        }),
        core: z._default(z.array(z.string().check(z.minLength(1))), coreTools).register(settingTexts, {
          about:
            'Enabled tools that are offered to models with a context window below 16,000 tokens. Tools that you enabled yourself are also offered.',
          expects: 'a list of tool names, e.g. ["search_notes", "read_note"]',
        }),
        calling: z._default(z.boolean(), true).register(settingTexts, {
          about: 'Whether language models are offered tools. `offline` always has them.',
          expects: 'true or false',
          group: 'tools',
          label: 'Enable AI tool calling',
          hint: 'Allow the AI to use tools like vault search and file reading. The notes it reads are sent to the provider of the model. Approvals decide which calls need your approval. ⚠️ Tools may access your vault data. If off, language models answer without your notes. Answers without a model are not affected.',
        }),
      }),
      toolSetting,
    ),
    {},
  ),
  mcpServers: z.optional(serverSettings).register(settingTexts, {
    about:
      'MCP servers by name, in the usual form: `command`, `args`, `env`, `cwd`, or `type: http`, `url`, `headers`; also `disabled` and `timeoutMs`. Write an environment variable as `$` and its name in `{}`. `notewright mcp-servers add` adds an entry.',
    expects:
      'servers by name, each with command, args and env, or with url and headers, e.g. {"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"]}}',
    secret: true,
  }),
  web: z.prefault(
    z.strictObject({
      searchEngine: z.optional(z.enum(['searxng', 'brave', 'custom'])).register(settingTexts, {
        about: 'Search engine for `web_search`. Nothing is sent until you choose one.',
        expects: 'searxng, brave or custom',
        group: 'web',
        label: 'Search engine',
        choices: { '': 'None', searxng: 'SearXNG', brave: 'Brave', custom: 'Custom' },
      }),
      searchUrl: z.optional(z.url()).register(settingTexts, {
        about: 'Address of your SearXNG, or of a custom service that answers `?q=…&limit=…` with JSON `results`.',
        expects: 'a web address, e.g. http://127.0.0.1:8888',
        group: 'web',
        label: 'Search address',
        placeholder: 'http://127.0.0.1:8888',
      }),
      searchKey: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about: 'API key for the search engine. Prefer the environment variable to this file.',
        expects: 'the key as text',
        environment: ['BRAVE_API_KEY'],
        secret: true,
        group: 'web',
        label: 'Search key',
      }),
    }),
    {},
  ),
  projects: z._default(z.record(z.string(), projectSetting), {}),
  memory: z.prefault(
    z.strictObject({
      note: z._default(z.string().check(z.refine(canKeepMemories)), defaultMemoryNote).register(settingTexts, {
        about:
          'The note that stores what you asked Notewright to remember, one line each. You can edit it. It is created when the first line is saved.',
        expects: 'the path of a note, e.g. "Meta/Memory.md"',
        group: 'memory',
        label: 'Memory note',
      }),
    }),
    {},
  ),
  serve: z.prefault(
    z.strictObject({
      port: z._default(z.int().check(z.minimum(0), z.maximum(65_535)), 8427).register(settingTexts, {
        about: 'Port for `notewright serve`. 0: any free port.',
        expects: 'a whole number from 0 to 65535',
        onlyNode: true,
      }),
      keepHours: z._default(z.int().check(z.minimum(1), z.maximum(8760)), 24).register(settingTexts, {
        about:
          'Number of hours that `notewright serve` stores a response after its last use, so that a client can continue it or answer its calls. Responses are stored on this computer only.',
        expects: 'a whole number of hours from 1 to 8760',
        onlyNode: true,
      }),
      origins: z._default(z.array(z.string().check(z.minLength(1))), ['app://obsidian.md']).register(settingTexts, {
        about:
          'Origins of web pages and apps that may send requests to `notewright serve`. They still need an access key.',
        expects: 'a list of origins, e.g. ["app://obsidian.md"]',
        onlyNode: true,
      }),
    }),
    {},
  ),
  sessions: z.prefault(
    z.strictObject({
      autoTitle: z._default(z.boolean(), true).register(settingTexts, {
        about:
          'Let the model write a title for each chat after the first answer. If off, the first words of the chat are the title.',
        expects: 'true or false',
      }),
      days: z._default(z.int().check(z.minimum(1), z.maximum(36_500)), 365).register(settingTexts, {
        about: 'Number of days to keep chats. Each gap between two chats counts as 0–24 hours.',
        expects: 'a whole number of days from 1 to 36500',
        group: 'kept',
        label: 'Days to keep chats',
      }),
      megabytes: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 500).register(settingTexts, {
        about: 'Maximum size of all chats in megabytes. The oldest are deleted first.',
        expects: 'a whole number of megabytes from 1 to 1000000',
      }),
    }),
    {},
  ),
  log: z.prefault(
    z.strictObject({
      megabytes: z._default(z.int().check(z.minimum(1), z.maximum(100_000)), 50).register(settingTexts, {
        about: 'Maximum size of the log of tool calls in megabytes. The oldest entries are deleted first.',
        expects: 'a whole number of megabytes from 1 to 100000',
        group: 'kept',
        label: 'Size of the log in megabytes',
      }),
    }),
    {},
  ),
  journal: z.prefault(
    z.strictObject({
      changes: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 200).register(settingTexts, {
        about: 'Number of recent changes that can be undone regardless of their age.',
        expects: 'a whole number of changes from 1 to 1000000',
      }),
      days: z._default(z.int().check(z.minimum(1), z.maximum(36_500)), 30).register(settingTexts, {
        about: 'Number of days that older changes can be undone. Each gap between two changes counts as 0–24 hours.',
        expects: 'a whole number of days from 1 to 36500',
        group: 'kept',
        label: 'Days to keep undo history',
      }),
      megabytes: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1000).register(settingTexts, {
        about: 'Maximum size of the undo history in megabytes. The oldest entries are deleted first.',
        expects: 'a whole number of megabytes from 1 to 1000000',
      }),
    }),
    {},
  ),
})

/** All settings, with their defaults filled in. */
export type Config = z.infer<typeof configSchema>

/** Maximum size of the journal. Multiplied rather than shifted, which would overflow at 2 GB. */
export function journalBytes({ journal }: Pick<Config, 'journal'>): number {
  return journal.megabytes * 1_000_000
}
