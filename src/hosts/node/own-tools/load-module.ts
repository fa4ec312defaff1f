import { existsSync } from 'node:fs'
import * as nodeModule from 'node:module'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { isRecord } from '../../../core/is-record.js'
import type { Tool } from '../../../core/tools/index.js'

/** How long a module may take to be loaded. */
const patienceMs = 5000

/** The tools that a module exports, under whatever name. The stamp makes Node read a changed file again. */
export async function loadModule(path: string, stamp: string): Promise<Tool[]> {
  leadToLibrary()
  const module = await inTime(import(`${pathToFileURL(path).href}?${stamp}`))
  const tools = [...new Set(Object.values(module).flat())].filter(isRecord)
  if (tools.length === 0) throw new Error('it exports no tool (export default defineTool({ … }))')
  return tools.map(checked)
}

/** Whatever it says of itself, it is a tool of the person's, and off until they switch it on. */
function checked(tool: Record<string, unknown>): Tool {
  const texts = ['name', 'title', 'description', 'activity'].filter((field) => typeof tool[field] !== 'string')
  if (texts.length > 0) throw new Error(`a tool needs ${texts.join(', ')} as text`)
  if (!Array.isArray(tool.effects)) throw new Error(`${tool.name} needs effects, a list; [] for none`)
  if (!isRecord(tool.input)) throw new Error(`${tool.name} needs input, a schema`)
  if (typeof tool.render !== 'function') throw new Error(`${tool.name} needs render, which makes text of its result`)
  if ((typeof tool.run === 'function') === (typeof tool.plan === 'function')) {
    throw new Error(`${tool.name} needs either run or plan`)
  }
  return { ...(tool as unknown as Tool), category: 'custom', offByDefault: true, alwaysOn: false }
}

async function inTime(loading: Promise<Record<string, unknown>>): Promise<Record<string, unknown>> {
  let timer: NodeJS.Timeout | undefined
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error('it did not finish loading')), patienceMs)
  })
  return Promise.race([loading, late]).finally(() => clearTimeout(timer))
}

type Resolve = (specifier: string, context: object, next: (specifier: string, context: object) => unknown) => unknown
/** Newer versions of Node do it in this thread. */
interface WithHooks {
  registerHooks?(hooks: { resolve: Resolve }): void
}

let isLed = false

/** `import … from 'notewright'` means this very program, wherever the module lies. */
function leadToLibrary(): void {
  if (isLed) return
  isLed = true
  const url = ['./library.js', '../library.js']
    .map((place) => new URL(place, import.meta.url))
    .find((place) => existsSync(fileURLToPath(place)))?.href
  // Run from source there is none, and whoever does that has it in their own node_modules.
  if (url === undefined) return
  const { registerHooks } = nodeModule as WithHooks
  if (registerHooks) {
    registerHooks({
      resolve: (specifier, context, next) =>
        specifier === 'notewright' ? { url, shortCircuit: true } : next(specifier, context),
    })
    return
  }
  const hook = `export const resolve = (specifier, context, next) =>
    specifier === 'notewright' ? { url: ${JSON.stringify(url)}, shortCircuit: true } : next(specifier, context)`
  nodeModule.register(`data:text/javascript,${encodeURIComponent(hook)}`)
}
