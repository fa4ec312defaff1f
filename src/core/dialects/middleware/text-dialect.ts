import { Failure } from '../../errors.js'
import { openReader, type Reader, type ReaderOptions } from '../open-reader.js'
import { type ToolPromptOptions, writeToolPrompt } from '../writing/tool-prompt.js'
import { type WrittenCall, type WrittenDialect, writeCall } from '../writing/write-call.js'

/** A way of calling tools in text that a model can be taught. */
export interface TextDialect {
  name: string
  /** What the model is told: the form of a call, and the tools there are. */
  teach(options: Omit<ToolPromptOptions, 'dialect'>): string
  /** An earlier call, as the model would have written it. */
  write(call: WrittenCall): string
  /** Reads a reply. It should also read what models write by habit, whatever they were taught. */
  open(options: ReaderOptions): Reader
}

/** The dialects of our own, by the names people use. */
export const textDialects: readonly TextDialect[] = [taught('sentinel', 'sentinel'), taught('use-tool', 'use_tool')]

/** Finds a dialect by its name; `use_tool` and `use-tool` are the same. */
export function textDialect(name: string): TextDialect {
  const wanted = name.trim().toLowerCase().replaceAll('_', '-')
  const found = textDialects.find((dialect) => dialect.name === wanted)
  if (found) return found
  throw new Failure('invalid-input', `No model can be taught the dialect ${name}.`, {
    hint: `There is native, auto, ${textDialects.map((dialect) => dialect.name).join(', ')}.`,
  })
}

function taught(name: string, dialect: WrittenDialect): TextDialect {
  return {
    name,
    teach: (options) => writeToolPrompt({ ...options, dialect }),
    write: (call) => writeCall(call, dialect),
    open: (options) => openReader({ format: 'any', wholeReplies: 'also', ...options }),
  }
}
