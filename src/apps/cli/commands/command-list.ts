import type { DeclareCommand } from '../program/invocation.js'

/** A command as help lists it. Its module declares arguments and options, and is loaded when the command is typed. */
export interface CommandEntry {
  name: string
  /** The first line is shown in the list of commands. */
  description: string
  /** Described in the list of `notewright --help`; the others are only named there. */
  isCommon?: true
  /** Another name that still works, but that help does not show. */
  formerName?: string
  /** True if `name` itself is a former name, with subcommands of its own. */
  isFormerName?: true
  load: () => Promise<DeclareCommand>
}

/** Every command, in the order help shows them. */
export const commands: readonly CommandEntry[] = [
  {
    name: 'ask',
    description: 'Ask about your notes. Piped text is added as context.',
    isCommon: true,
    load: async () => (await import('./ask.js')).declareAsk,
  },
  {
    name: 'chat',
    description: 'Chat about your notes. This is the default command.',
    isCommon: true,
    load: async () => (await import('./chat.js')).declareChat,
  },
  {
    name: 'sessions',
    description: 'List, search and manage chats.',
    isCommon: true,
    load: async () => (await import('./sessions.js')).declareSessions,
  },
  {
    name: 'web',
    description: 'Open your notes, chat and search in your browser.',
    isCommon: true,
    load: async () => (await import('./web.js')).declareWeb,
  },
  {
    name: 'serve',
    description:
      'Offer your notes and models over an OpenAI-compatible API.\nThe server also offers MCP over HTTP, and adds tool calling to models without it.',
    load: async () => (await import('./serve.js')).declareServe,
  },
  {
    name: 'index',
    description: 'Update the search index.\nReads new and changed notes. Indexing never writes to your vault.',
    isCommon: true,
    load: async () => (await import('./index-vault.js')).declareIndex,
  },
  {
    name: 'search',
    description: 'Find notes by words and by meaning.',
    isCommon: true,
    load: async () => (await import('./search.js')).declareSearch,
  },
  {
    name: 'query',
    description: 'List notes by properties, tags, dates and links.\nExpressions are written as in Obsidian Bases.',
    isCommon: true,
    load: async () => (await import('./query.js')).declareQuery,
  },
  {
    name: 'tasks',
    description: 'List, tick and reschedule the tasks in your notes.',
    load: async () => (await import('./tasks.js')).declareTasks,
  },
  {
    name: 'check',
    description:
      'Find problems in your notes, and fix them.\nBroken links, headings and attachments, unreadable properties, conflict copies, empty notes, orphans.',
    load: async () => (await import('./check.js')).declareCheck,
  },
  {
    name: 'links',
    description: 'Show the links from and to a note.\nLinks are resolved as Obsidian resolves them.',
    load: async () => (await import('./links.js')).declareLinks,
  },
  {
    name: 'read',
    description: 'Print a note, one of its sections or some of its lines.',
    isCommon: true,
    load: async () => (await import('./read.js')).declareRead,
  },
  {
    name: 'related',
    description: 'Find notes about the same topic that are not linked yet.\nEach comes with the reason.',
    load: async () => (await import('./related.js')).declareRelated,
  },
  {
    name: 'move',
    description: 'Move or rename a note or folder and update all links to it.',
    isCommon: true,
    load: async () => (await import('./move.js')).declareMove,
  },
  {
    name: 'change',
    description:
      'Change many notes in one step: properties, tags, text, folder.\nYou see every change before it is made, and can undo all of it at once.',
    load: async () => (await import('./change.js')).declareChange,
  },
  {
    name: 'merge',
    description: 'Merge notes into one and update all links to them.',
    load: async () => (await import('./merge.js')).declareMerge,
  },
  {
    name: 'split',
    description: 'Move a section of a note to a new note and update all links to it.',
    load: async () => (await import('./split.js')).declareSplit,
  },
  {
    name: 'rename',
    description:
      'Rename a heading, block, alias, tag or property wherever it is used.\nFor a note or folder: notewright move',
    load: async () => (await import('./rename.js')).declareRename,
  },
  {
    name: 'append',
    description: 'Add text to the end of a note or section.',
    load: async () => (await import('./append.js')).declareAppend,
  },
  {
    name: 'daily',
    description:
      "Show today's daily note, or add text to it.\nA new note uses the folder, name and template of your Obsidian settings.",
    load: async () => (await import('./daily.js')).declareDaily,
  },
  {
    name: 'tags',
    description: 'List the tags of the vault and their number of notes.',
    load: async () => (await import('./tags.js')).declareTags,
  },
  {
    name: 'undo',
    description: 'Undo the last change, or the one you name. Later edits stay.',
    isCommon: true,
    load: async () => (await import('./undo.js')).declareUndo,
  },
  {
    name: 'history',
    description: 'List the changes Notewright made to this vault.',
    load: async () => (await import('./history.js')).declareHistory,
  },
  {
    name: 'recover',
    formerName: 'settle',
    description: 'Resolve notes that were edited during an interrupted change.',
    load: async () => (await import('./recover.js')).declareRecover,
  },
  {
    name: 'log',
    description: 'Show the tool calls made in this vault, oldest first.',
    load: async () => (await import('./log.js')).declareLog,
  },
  {
    name: 'prompt',
    description: 'Show what a model would get for a question, with token counts. Nothing is sent.',
    load: async () => (await import('./prompt.js')).declarePrompt,
  },
  {
    name: 'stats',
    description: 'Show which models were used: turns, tokens and cost.',
    load: async () => (await import('./stats.js')).declareStats,
  },
  {
    name: 'projects',
    description: 'List and check projects.\nA project limits a chat to some notes, with its own instructions.',
    load: async () => (await import('./projects.js')).declareProjects,
  },
  {
    name: 'memory',
    description:
      'List and remove what you asked Notewright to remember.\nTo add something: notewright ask "@memory I garden in zone 7"',
    load: async () => (await import('./memory.js')).declareMemory,
  },
  {
    name: 'status',
    description: 'Show the current vault and the state of its index.',
    isCommon: true,
    load: async () => (await import('./status.js')).declareStatus,
  },
  {
    name: 'doctor',
    description: 'Check your setup and suggest fixes.',
    isCommon: true,
    load: async () => (await import('./doctor.js')).declareDoctor,
  },
  {
    name: 'config',
    description: 'Show and change settings.',
    isCommon: true,
    load: async () => (await import('./config.js')).declareConfig,
  },
  {
    name: 'models',
    description:
      'List the models you can use.\nThese are models of configured providers and of Ollama and LM Studio on this computer.',
    isCommon: true,
    load: async () => (await import('./models.js')).declareModels,
  },
  {
    name: 'keys',
    description: 'Store, list and remove API keys of model providers.',
    isCommon: true,
    load: async () => (await import('./keys.js')).declareKeys,
  },
  {
    name: 'tool',
    description: 'List and call the tools that models use, and turn them on or off.',
    load: async () => (await import('./tool.js')).declareTool,
  },
  {
    name: 'acp',
    description:
      'Serve editors over the Agent Client Protocol.\nZed, JetBrains, Neovim, Emacs and other editors start it.',
    load: async () => (await import('./acp.js')).declareAcp,
  },
  {
    name: 'mcp',
    description:
      'Offer your notes to an MCP client (Claude, Cursor, VS Code, Codex …).\nThe client starts this command; "notewright init" sets it up. Repeat --vault for several vaults.',
    load: async () => (await import('./mcp.js')).declareMcp,
  },
  {
    name: 'init',
    description:
      "Connect Claude, Cursor, VS Code, Codex or opencode by MCP.\nShows the change to the client's configuration file. With --write, it is saved, and a copy of the old file is kept.",
    isCommon: true,
    load: async () => (await import('./init.js')).declareInit,
  },
  {
    name: 'mcp-servers',
    description: 'Add, test and trust MCP servers, whose tools you can use.',
    load: async () => (await import('./mcp-servers.js')).declareMcpServers,
  },
  {
    name: 'programs',
    description: 'Approve the programs Notewright may start.\nThese are MCP servers, your tool modules and Codex.',
    load: async () => (await import('./programs.js')).declarePrograms,
  },
  {
    name: 'approvals',
    description:
      'Answer waiting requests, and set what needs approval.\nWithout a subcommand, each waiting request of other programs (serve, mcp, web, chat) is shown, and you answer it.',
    isCommon: true,
    load: async () => (await import('./approvals.js')).declareApprovals,
  },
  {
    name: 'dialect',
    description: 'List and test the formats in which models write tool calls.',
    load: async () => (await import('./dialect.js')).declareDialect,
  },
  {
    name: 'completion',
    description: 'Print a completion script for bash, zsh or fish.',
    load: async () => (await import('./completion.js')).declareCompletion,
  },
  {
    name: 'permissions',
    description: 'Renamed to "notewright approvals": rules, add, revoke, explain.',
    isFormerName: true,
    load: async () => (await import('./approvals.js')).declarePermissions,
  },
]
