/** Something the page does when it is typed in place of a question. */
export interface SlashCommand {
  name: string
  about: string
  run(words: string): unknown
}

/** What the chat lends its commands. */
export interface ChatWays {
  begin(): void
  show(view: 'search' | 'settings' | 'activity' | 'sessions'): void
  /** Undefined before the first question. */
  session: { fork(): unknown; compact(): unknown; rename(title: string): unknown; undo(): unknown } | undefined
}

export function slashCommands({ begin, show, session }: ChatWays): SlashCommand[] {
  return [
    { name: 'new', about: 'begin another conversation; this one is kept', run: begin },
    { name: 'sessions', about: 'earlier conversations', run: () => show('sessions') },
    { name: 'search', about: 'search your notes', run: () => show('search') },
    { name: 'activity', about: 'what was done', run: () => show('activity') },
    { name: 'settings', about: 'models, keys, rules, tools', run: () => show('settings') },
    ...(session === undefined
      ? []
      : [
          { name: 'fork', about: 'go on in a copy of this conversation', run: session.fork },
          { name: 'rename', about: 'give this conversation a title', run: session.rename },
          { name: 'compact', about: 'sum up the older turns, to make room', run: session.compact },
          { name: 'undo', about: 'take the last change back, after a look at it', run: session.undo },
        ]),
  ]
}

/** The command that a text is, with its words. */
export function commandIn(
  text: string,
  commands: readonly SlashCommand[],
): { command: SlashCommand; words: string } | undefined {
  const [, name, words = ''] = /^\/(\S+)(?:\s+([\s\S]*))?$/.exec(text.trim()) ?? []
  const command = commands.find((one) => one.name === name?.toLowerCase())
  return command && { command, words: words.trim() }
}
