import type { Call, Reply } from './prompt.js'
import type { Form } from './seen.js'

/** A call as it was taught. Written here and not by the program's own writers, so that their faults cannot cancel out. */
export function properly(call: Call, form: Form | undefined, lead = ''): Reply {
  if (form === 'native') return { text: lead, calls: [call] }
  return { text: [lead, form === 'use-tool' ? useTool(call) : sentinel(call)].filter(Boolean).join('\n\n') }
}

export const sentinel = ({ name, input }: Call): string =>
  `<tool_call>\n{"name": "${name}", "arguments": ${JSON.stringify(input)}}\n</tool_call>`

const useTool = ({ name, input }: Call): string =>
  `<use_tool>\n<name>${name}</name>\n<args>\n${JSON.stringify(input)}\n</args>\n</use_tool>`

export const bareJson = ({ name, input }: Call): string => JSON.stringify({ name, parameters: input })

export const fenced = ({ name, input }: Call): string =>
  `\`\`\`json\n${JSON.stringify({ name, arguments: input }, null, 2)}\n\`\`\``

export const pythonic = ({ name, input }: Call): string =>
  `[${name}(${Object.entries(input)
    .map(([key, value]) => `${key}=${JSON.stringify(value)}`)
    .join(', ')})]`
