import { rolldown } from 'rolldown'
import { noOldSchemas } from './left-out.mjs'

/** Packages that speak to one provider each. They are most of the core's size, and imported only where one is opened. */
const providerPackages = /^(?:@ai-sdk\/(?:anthropic|google|openai)|@openrouter\/ai-sdk-provider)$/

/**
 * The core, or a part of it, as one minified file that imports nothing, for hosts without Node: its code, and the files it came from.
 * Not by esbuild: where an import is lazy, its single file runs zod's modules in an order in which they do not load.
 */
export async function bundleCore({ withProviders = true, input = 'src/core/index.ts' } = {}) {
  const bundle = await rolldown({
    input,
    platform: 'browser',
    tsconfig: false,
    transform: { target: 'es2022' },
    external: withProviders ? [] : [providerPackages],
    plugins: [noOldSchemas],
    onLog: (_level, log) => fail(log),
  })
  const { output } = await bundle.generate({ format: 'esm', minify: true, codeSplitting: false, comments: false })
  await bundle.close()
  const [{ fileName, code, modules, imports, dynamicImports }] = output
  const isLeftOut = (name) => !withProviders && providerPackages.test(name)
  // What is imported lazily inside the file counts as an import of the file itself.
  const wanted = [...imports, ...dynamicImports].filter((name) => name !== fileName && !isLeftOut(name))
  if (output.length > 1 || wanted.length > 0) throw new Error(`The core needs more than one file: ${wanted.join(', ')}`)
  const sizes = Object.entries(modules).map(([file, { renderedLength }]) => ({ file, size: renderedLength }))
  return { code, files: Object.keys(modules), sizes }
}

function fail({ message }) {
  throw new Error(`The core does not bundle: ${message}`)
}
