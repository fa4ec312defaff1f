import * as z from 'zod/mini'
import { modes } from '../agent/index.js'
import { consentLevels } from '../approval/index.js'
import { canKeepMemories, defaultMemoryNote } from '../memory/index.js'
import { projectSetting } from './project-setting.js'
import { serverSettings } from './server-setting.js'

/** What a setting is for and what it takes: the words of the reference page and of every error message. */
export interface SettingText {
  about: string
  /** Completes the sentence "search.limit must be …". */
  expects: string
  /** Names other programs already use, besides the NOTEWRIGHT_… name every setting has. */
  environment?: string[]
  /** Never shown in full. */
  secret?: true
}

export const settingTexts = z.registry<SettingText>()

const rules = () => z._default(z.array(z.string().check(z.minLength(1))), [])

/** What a person can say about one tool, as `tools.<name>.guidance`. */
export const toolSetting = z.strictObject({ guidance: z.optional(z.string()), addGuidance: z.optional(z.string()) })

const window = z.int().check(z.minimum(1024), z.maximum(10_000_000))
const stallSeconds = z.int().check(z.minimum(1), z.maximum(86_400))
const minutes = z.number().check(z.positive(), z.maximum(1440))
const steps = z.int().check(z.minimum(1), z.maximum(50))
const temperature = z.number().check(z.minimum(0), z.maximum(2))
const thinking = z.union([z.enum(['off', 'on']), z.int().check(z.minimum(1), z.maximum(1_000_000))])

/** What a person can say about one model, as `models.<provider/model>.window`: it counts before what is said for all. */
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

/** What one model costs, as `prices.<provider/model>`. */
export const priceSetting = z.strictObject({
  input: price,
  output: price,
  cached: z.optional(price),
  cacheWrite: z.optional(price),
})

/** Offered to models with little room, whatever else is on. */
const coreTools = ['search_notes', 'read_note', 'edit_note', 'append_note', 'rename_note', 'create_daily_note']

// Each section is prefaulted with {}, so that an empty file means all defaults.
export const configSchema = z.strictObject({
  vault: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
    about:
      'The folder of notes to use when neither a flag nor the environment names one. A leading `~` is your home folder.',
    expects: 'the path of a folder',
    environment: ['OBSIDIAN_VAULT_PATH'],
  }),
  exclude: z._default(z.array(z.string().check(z.minLength(1))), []).register(settingTexts, {
    about:
      'Notes to hide from search, links, reading and editing alike, as patterns in gitignore syntax. Added to the `.notewrightignore` of the vault.',
    expects: 'a list of patterns, e.g. ["Journal/", "*.draft.md"]',
  }),
  color: z._default(z.enum(['auto', 'always', 'never']), 'auto').register(settingTexts, {
    about: 'Colours in the terminal. `auto` uses them when the output is a terminal and `NO_COLOR` is not set.',
    expects: 'auto, always or never',
  }),
  model: z._default(z.string().check(z.minLength(1)), 'offline').register(settingTexts, {
    about:
      'The model that answers, as `provider/model`: `ollama/qwen3:8b`, `openai/gpt-5`. `offline` searches and quotes without a language model. `notewright models` lists what you can use.',
    expects: 'a model as provider/model, or offline',
  }),
  dialect: z._default(z.string().check(z.minLength(1)), 'auto').register(settingTexts, {
    about:
      "How the model calls tools. `auto`: by its provider's own protocol where that is known to work; otherwise it is asked once, and the answer is remembered. `native`, `sentinel` and `use-tool` decide it for every model.",
    expects: 'auto, native, sentinel or use-tool',
  }),
  mode: z._default(z.enum(modes), 'agent').register(settingTexts, {
    about:
      'How a question is answered. `agent`: the model calls tools in a loop. `vault-qa`: search, then one answer. `plan`: the model names its calls once. `chat`: no tools.',
    expects: 'agent, chat, vault-qa or plan',
  }),
  stream: z._default(z.boolean(), true).register(settingTexts, {
    about: 'Whether answers are shown while they are written. Off: each reply is asked for in one piece.',
    expects: 'true or false',
  }),
  temperature: z.optional(temperature).register(settingTexts, {
    about: 'How freely the model chooses its words. Without it, as the provider has it. Not sent where it is refused.',
    expects: 'a number from 0 to 2',
  }),
  thinking: z.optional(thinking).register(settingTexts, {
    about: 'Whether the model thinks before it answers, or for how many tokens. Without it, as suits the model.',
    expects: 'off, on, or a number of tokens',
  }),
  instructions: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
    about: 'Your own words to the model, part of every system message: how to answer, what to heed.',
    expects: 'a text',
  }),
  turn: z.prefault(
    z.strictObject({
      minutes: z._default(minutes, 5).register(settingTexts, {
        about:
          'How long one request may take before the model is asked to answer from what was found. Waiting for you, or for a machine of yours to read the prompt, does not count.',
        expects: 'a number of minutes, at most 1440',
      }),
      steps: z.optional(steps).register(settingTexts, {
        about: 'How many replies of the model one request may take. Without it 10, and 8 for small models.',
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
            'How many tokens fit into the model, conversation and answer together. Without it the server is asked. Ollama is told to make this much room.',
          expects: 'a whole number of tokens from 1024 up',
        }),
        pictures: z.optional(z.boolean()).register(settingTexts, {
          about:
            'Whether models are sent pictures. Without it, by what is known of each from its name; for one model alone: `models.lmstudio/my-model.pictures`.',
          expects: 'true or false',
        }),
        stallSeconds: z._default(stallSeconds, 60).register(settingTexts, {
          about:
            'How long a model may send nothing between two words before it is given up. Before its first word a server on your own machine or network has five times as long, to read the prompt.',
          expects: 'a whole number of seconds from 1 to 86400',
        }),
      }),
      modelSetting,
    ),
    {},
  ),
  codex: z.prefault(
    z.strictObject({
      path: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about: 'Where the program `codex` is, for models named `codex/…`. Without it, the first one on `PATH`.',
        expects: 'the path of a program',
      }),
      tools: z._default(z.array(z.string().check(z.minLength(1))), []).register(settingTexts, {
        about:
          'Tools of its own that Codex may use beside yours: `shell`, `web`, `image`, `agents`, and `mcp` for the servers of its own configuration. They read, and run commands, without asking you. Without it none.',
        expects: 'a list of shell, web, image, agents and mcp',
      }),
      environment: z._default(z.array(z.string().check(z.minLength(1))), []).register(settingTexts, {
        about:
          'Names of environment variables that Codex is given beside the few it needs, e.g. the `env_key` of a model provider in its own configuration.',
        expects: 'a list of names, e.g. ["AZURE_OPENAI_API_KEY"]',
      }),
    }),
    {},
  ),
  prices: z._default(z.record(z.string(), priceSetting), {}).register(settingTexts, {
    about:
      'What models cost, in US dollars for a million tokens, before what Notewright knows itself: `{"openai/gpt-5": {"input": 1.25, "output": 10, "cached": 0.125}}`. One of them: `prices.openai/gpt-5`.',
    expects: 'an object of models, each with input, output and perhaps cached and cacheWrite',
  }),
  search: z.prefault(
    z.strictObject({
      limit: z._default(z.int().check(z.minimum(1), z.maximum(1000)), 10).register(settingTexts, {
        about: 'How many hits a search shows.',
        expects: 'a whole number from 1 to 1000',
      }),
      rank: z._default(z.enum(['hybrid', 'lexical', 'semantic']), 'hybrid').register(settingTexts, {
        about: 'How hits are ranked: by words and meaning together, by words alone, or by meaning alone.',
        expects: 'hybrid, lexical or semantic',
      }),
    }),
    {},
  ),
  index: z.prefault(
    z.strictObject({
      vectors: z._default(z.boolean(), true).register(settingTexts, {
        about:
          'Whether indexing also learns meaning (semantic vectors fitted to your own notes; nothing is downloaded).',
        expects: 'true or false',
      }),
    }),
    {},
  ),
  embeddings: z.prefault(
    z.strictObject({
      model: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about:
          'A model of a provider that makes embeddings, so that search also finds notes that share no word with the question: `ollama/nomic-embed-text`, `openai/text-embedding-3-small`, `gemini/gemini-embedding-001`. Passages of your notes are sent to it, and nothing is before you agree: `notewright index` asks.',
        expects: 'a model as provider/model, e.g. ollama/nomic-embed-text',
      }),
      sendTo: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about:
          'For scripts, where nobody can be asked: the host that may be sent passages of the notes of every vault, and the queries, as `notewright index` names it.',
        expects: 'a host, e.g. api.openai.com or 127.0.0.1:11434',
      }),
    }),
    {},
  ),
  consent: z._default(z.enum(consentLevels), 'ask').register(settingTexts, {
    about:
      'How much you want to be asked. `ask`: reading passes, everything else asks. `edit`: changes that can be undone pass too. `ask-all`: every call asks. `read-only`: nothing is changed or sent. `auto`: all passes but what a rule denies. `locked`: for scripts; what no rule allows is refused.',
    expects: 'read-only, ask, ask-all, edit, auto or locked',
  }),
  permissions: z.prefault(
    z.strictObject({
      allow: rules().register(settingTexts, {
        about: 'Rules for calls that pass without asking, e.g. `edit_note(Projects/**)`.',
        expects: 'a list of rules, e.g. ["append_note(Inbox/**)"]',
      }),
      ask: rules().register(settingTexts, {
        about: 'Rules for calls that always ask, whatever was allowed before. They beat `allow`.',
        expects: 'a list of rules, e.g. ["writes(folder:Journal)"]',
      }),
      deny: rules().register(settingTexts, {
        about: 'Rules for calls that never happen. They beat everything.',
        expects: 'a list of rules, e.g. ["reads(folder:Private)"]',
      }),
    }),
    {},
  ),
  tools: z.prefault(
    z.catchall(
      z.object({
        enabled: z.optional(z.array(z.string().check(z.minLength(1)))).register(settingTexts, {
          about:
            'Names of the tools that are on; a tool of an MCP server as `server/tool`. Without it: everything for the vault and for time; nothing that reaches the network.',
          expects: 'a list of tool names, e.g. ["search_notes", "read_note"]',
        }),
        core: z._default(z.array(z.string().check(z.minLength(1))), coreTools).register(settingTexts, {
          about:
            'The tools that a model with a window below 16,000 tokens is offered, of those that are on. What you switched on beyond the usual ones is offered too.',
          expects: 'a list of tool names, e.g. ["search_notes", "read_note"]',
        }),
        calling: z._default(z.boolean(), true).register(settingTexts, {
          about: 'Whether tools are offered to a language model at all. `offline` always has them.',
          expects: 'true or false',
        }),
      }),
      toolSetting,
    ),
    {},
  ),
  mcpServers: z.optional(serverSettings).register(settingTexts, {
    about:
      'MCP servers whose tools can be used here, by name, as other programs have them: `command`, `args`, `env`, or `type: http`, `url`, `headers`; also `disabled` and `timeoutMs`. A variable of the environment is written as `$` and its name in `{}`. `notewright mcp-servers add` writes it.',
    expects:
      'servers by name, each with command, args and env, or with url and headers, e.g. {"files": {"command": "npx", "args": ["-y", "@modelcontextprotocol/server-filesystem", "/data"]}}',
    secret: true,
  }),
  web: z.prefault(
    z.strictObject({
      searchEngine: z.optional(z.enum(['searxng', 'brave', 'custom'])).register(settingTexts, {
        about: 'Who answers `web_search`. Nothing is sent anywhere before you choose one.',
        expects: 'searxng, brave or custom',
      }),
      searchUrl: z.optional(z.url()).register(settingTexts, {
        about: 'Address of your SearXNG, or of a service of your own that answers `?q=…&limit=…` with JSON `results`.',
        expects: 'a web address, e.g. http://127.0.0.1:8888',
      }),
      searchKey: z.optional(z.string().check(z.minLength(1))).register(settingTexts, {
        about: 'Key for the search service. Better kept in the environment than in the file.',
        expects: 'the key as text',
        environment: ['BRAVE_API_KEY'],
        secret: true,
      }),
    }),
    {},
  ),
  projects: z._default(z.record(z.string(), projectSetting), {}),
  memory: z.prefault(
    z.strictObject({
      note: z._default(z.string().check(z.refine(canKeepMemories)), defaultMemoryNote).register(settingTexts, {
        about:
          'The note that keeps what you asked to remember: one line each, yours to read and edit. It is made when the first thing is remembered.',
        expects: 'the path of a note, e.g. "Meta/Memory.md"',
      }),
    }),
    {},
  ),
  serve: z.prefault(
    z.strictObject({
      port: z._default(z.int().check(z.minimum(0), z.maximum(65_535)), 8427).register(settingTexts, {
        about: 'The port that `notewright serve` listens on. 0: any that is free.',
        expects: 'a whole number from 0 to 65535',
      }),
      token: z.optional(z.string().check(z.regex(/^[\x21-\x7e]{16,512}$/))).register(settingTexts, {
        about:
          'The token that clients of `notewright serve` must send, in place of the one that is made on first use. Needed to listen for other machines. Better kept in the environment than in the file.',
        expects: 'at least 16 letters, digits or signs, without spaces',
        secret: true,
      }),
      keepHours: z._default(z.int().check(z.minimum(1), z.maximum(8760)), 24).register(settingTexts, {
        about:
          'How many hours `notewright serve` keeps a response after it was last used, so that a client can go on from it or answer its calls. Kept on this machine alone.',
        expects: 'a whole number of hours from 1 to 8760',
      }),
      origins: z._default(z.array(z.string().check(z.minLength(1))), ['app://obsidian.md']).register(settingTexts, {
        about:
          'Origins of pages and apps that may speak to `notewright serve` besides its own pages. They still need the token.',
        expects: 'a list of origins, e.g. ["app://obsidian.md"]',
      }),
    }),
    {},
  ),
  sessions: z.prefault(
    z.strictObject({
      autoTitle: z._default(z.boolean(), true).register(settingTexts, {
        about:
          'Whether the model gives a session its title after the first answer. Off: its first words are the title.',
        expects: 'true or false',
      }),
      days: z._default(z.int().check(z.minimum(1), z.maximum(36_500)), 365).register(settingTexts, {
        about: 'How many days sessions are kept; from one session to the next at most a day is counted.',
        expects: 'a whole number of days from 1 to 36500',
      }),
      megabytes: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 500).register(settingTexts, {
        about: 'How much space sessions may take before the oldest are deleted.',
        expects: 'a whole number of megabytes from 1 to 1000000',
      }),
    }),
    {},
  ),
  log: z.prefault(
    z.strictObject({
      megabytes: z._default(z.int().check(z.minimum(1), z.maximum(100_000)), 50).register(settingTexts, {
        about: 'How much space the log of tool calls may take before the oldest are forgotten.',
        expects: 'a whole number of megabytes from 1 to 100000',
      }),
    }),
    {},
  ),
  journal: z.prefault(
    z.strictObject({
      changes: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 200).register(settingTexts, {
        about: 'How many of the newest changes can be undone however old they are.',
        expects: 'a whole number of changes from 1 to 1000000',
      }),
      days: z._default(z.int().check(z.minimum(1), z.maximum(36_500)), 30).register(settingTexts, {
        about: 'How many days older changes can be undone; from one change to the next at most a day is counted.',
        expects: 'a whole number of days from 1 to 36500',
      }),
      megabytes: z._default(z.int().check(z.minimum(1), z.maximum(1_000_000)), 1000).register(settingTexts, {
        about: 'How much space the journal of changes may take before the oldest are forgotten.',
        expects: 'a whole number of megabytes from 1 to 1000000',
      }),
    }),
    {},
  ),
})

export type Config = z.infer<typeof configSchema>

/** What the journal may take. A plain product: shifting would overflow at 2 GB. */
export function journalBytes({ journal }: Pick<Config, 'journal'>): number {
  return journal.megabytes * 1_000_000
}
