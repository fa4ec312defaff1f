/** How a user does things that no request can do, in the current front end: by commands, or in an app. */
export interface OfflineGuidance {
  /** A sentence: how to get a language model. */
  model: string
  /** How to undo the last change. */
  undo: string
  /** How to see the changes that were made. */
  history: string
  /** How to choose the mode that calls several tools for one request. */
  agentMode: string
  /** A sentence: how to switch a tool on. */
  enable(tool: string): string
}

/** The guidance for one answer. */
export interface AnswerGuidance extends OfflineGuidance {
  /**
   * The last line, which mentions that no language model is configured. Empty once the conversation has mentioned it.
   */
  closing: string
}

/** The guidance on the command line; `found` are models on this machine. */
export function commandLineGuidance(found: readonly string[]): OfflineGuidance {
  return {
    model: modelSentence(found),
    undo: '`notewright undo`',
    history: '`notewright history`',
    agentMode: '`--mode agent`',
    enable: (tool) => `Turn it on with \`notewright tool enable ${tool}\`.`,
  }
}

const maxModelsNamed = 3

function modelSentence(found: readonly string[]): string {
  const [first] = found
  if (first === undefined) return 'To set one up: `notewright models`.'
  const named = found.slice(0, maxModelsNamed).map((model) => `\`${model}\``)
  const more = found.length > maxModelsNamed ? ` and ${found.length - maxModelsNamed} more (\`notewright models\`)` : ''
  return `Found on this computer: ${named.join(', ')}${more}. Use one with \`-m ${first}\`.`
}

/** The last line of an answer. */
export function closingLine(howToGetOne: string): string {
  return `*${noModel}, so I quote your notes instead of answering in my own words. ${howToGetOne}*`
}

/** Begins every sentence about the missing model, so that an earlier answer can be recognized. */
export const noModel = 'No language model is configured'

/** For a conversation without tools. */
export function chatText(howToGetOne: string): string {
  return `${noModel}. Without one I can search your notes, quote them, and handle simple requests such as \`rename A to B\` or \`what links to A\`, but this chat has no tools. ${howToGetOne}`
}

/** Lists the requests that work without a language model. */
export const offlineHelp = ({
  undo,
  model,
}: OfflineGuidance): string => `${noModel}, so I search your notes, quote them, and handle simple requests:

- ask a question, and I quote your notes: \`when do we sow tomatoes?\`
- \`show [[Note]]\`, \`what links to Note\`, \`links of Note\`, \`notes tagged #tag\`, \`list tags\`, \`open tasks\`, \`how many notes are in Folder\`, \`list the notes in Folder\`, \`what changed this week\`, \`random note\`, \`notes from last week about bread\`
- \`create a note called Name with …\`, \`append … to Note\`, \`add … to today's note\`, \`rename Note to Name\`, \`tag Note with tag\`, \`set status of Note to done\`, \`delete Note\`

I ask before changing anything, and you can undo it with ${undo}. A language model can do more. ${model}`
