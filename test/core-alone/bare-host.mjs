// A host that has what every host has and nothing else: takes Node's globals away, then runs a program on the core.
// `node --disallow-code-generation-from-strings bare-host.mjs <file of the core> <program> [name…]`; prints what the program
// returns. The names are left: Node's own fetch is made with some of them.
import { pathToFileURL } from 'node:url'
import { runInNewContext } from 'node:vm'

const everywhere = [
  ...[
    'AbortController',
    'AbortSignal',
    'Blob',
    'DOMException',
    'Event',
    'EventTarget',
    'FormData',
    'Headers',
    'Request',
  ],
  ...['ReadableStream', 'Response', 'TextDecoder', 'TextDecoderStream', 'TextEncoder', 'TransformStream', 'URL'],
  ...[
    'URLSearchParams',
    'WebAssembly',
    'WritableStream',
    'atob',
    'btoa',
    'clearTimeout',
    'crypto',
    'fetch',
    'performance',
  ],
  ...['queueMicrotask', 'setTimeout', 'structuredClone'],
]
const [core, program] = process.argv.slice(2, 4).map((file) => pathToFileURL(file).href)
const left = process.argv.slice(4)
const { stdout } = process

const kept = new Set([...everywhere, ...left, ...runInNewContext('Object.getOwnPropertyNames(globalThis)')])
kept.delete('console')
for (const name of Object.getOwnPropertyNames(globalThis)) if (!kept.has(name)) delete globalThis[name]
for (const name of ['process', 'Buffer', 'require', 'global', 'setImmediate', 'console', 'navigator']) {
  if (name in globalThis && !left.includes(name)) throw new Error(`${name} is still there.`)
}

// As the WebKit of older phones: a pattern that looks behind is a syntax error.
const refuse = (source) => {
  if (/\(\?<[=!]/.test(source?.source ?? source)) throw new SyntaxError('Invalid regular expression: (?<')
}
globalThis.RegExp = new Proxy(RegExp, {
  construct(target, given, newTarget) {
    refuse(given[0])
    return Reflect.construct(target, given, newTarget)
  },
  apply(target, self, given) {
    refuse(given[0])
    return Reflect.apply(target, self, given)
  },
})

const { use } = await import(program)
stdout.write(JSON.stringify(await use(await import(core))))
