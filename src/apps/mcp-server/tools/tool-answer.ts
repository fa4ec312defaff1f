import { type CallToolResult, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { cutText, type ToolResult } from '../../../core/tools/index.js'

/** Bytes of an answer, the text and the data together. Clients cut what is longer, or refuse it. */
const mostBytes = 60_000

/** What a client gets for a call: text for the model, the same as data, and a failure as something to act on. */
export function toolAnswer(result: ToolResult): CallToolResult {
  if (result.ok) {
    const { text, output } = result
    return {
      content: [{ type: 'text', text: fitted(text, output) }],
      structuredContent: output as Record<string, unknown>,
    }
  }
  // Nobody can act on a tool that there is not: the client is out of step with the list it got.
  if (result.code === 'unknown-tool') throw new ProtocolError(ProtocolErrorCode.InvalidParams, result.text)
  return { content: [{ type: 'text', text: JSON.stringify(failureOf(result)) }], isError: true }
}

/** As text: what stands in `structuredContent` clients hold against the tool's own schema, also when it failed. */
function failureOf({ code, text, hint }: Extract<ToolResult, { ok: false }>) {
  if (hint === undefined || !text.endsWith(` ${hint}`)) return { code, text, ...(hint && { hint }) }
  return { code, text: text.slice(0, -hint.length - 1), hint }
}

/** The data is whole. Text that says it all again gives way. */
function fitted(text: string, output: unknown): string {
  const left = mostBytes - bytesOf(JSON.stringify(output) ?? '')
  if (bytesOf(JSON.stringify(text)) <= left) return text
  return `${cutText(text, Math.max(1000, Math.floor(left / 4)))}\n[The rest of this text was left out: structuredContent has all of it.]`
}

const bytesOf = (text: string): number => new TextEncoder().encode(text).length
