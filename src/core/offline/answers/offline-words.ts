/** How a person does what no request does, where they are: by commands, or in an app. */
export interface OfflineWords {
  /** A sentence: how to get a language model. */
  model: string
  /** What takes the last change back. */
  undo: string
  /** What shows the changes that were made. */
  history: string
  /** What lets several tools be called for one request. */
  agentMode: string
  /** A sentence: how to switch a tool on. */
  enable(tool: string): string
}

/** The same for one answer. */
export interface AnswerWords extends OfflineWords {
  /** Its last line: that no language model was at work. Empty once that was said. */
  closing: string
}

const mostNamed = 3

/** On the command line, with the models that are at hand. */
export function commandLineWords(found: readonly string[]): OfflineWords {
  return {
    model: modelSentence(found),
    undo: '`notewright undo`',
    history: '`notewright history`',
    agentMode: '`--mode agent`',
    enable: (tool) => `Switch it on with \`notewright tool enable ${tool}\`.`,
  }
}

function modelSentence(found: readonly string[]): string {
  const [first] = found
  if (first === undefined) return 'See how to get one: `notewright models`.'
  const named = found.slice(0, mostNamed).map((model) => `\`${model}\``)
  const more = found.length > mostNamed ? ` and ${found.length - mostNamed} more (\`notewright models\`)` : ''
  return `Found on this machine: ${named.join(', ')}${more}. Use one with \`-m ${first}\`.`
}
