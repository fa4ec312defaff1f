import { bundle } from './bundle.mjs'
import { noOldSchemas } from './left-out.mjs'

/** Packages that speak to one provider each. They are most of the core's size, and imported only where one is opened. */
const providerPackages = /^(?:@ai-sdk\/(?:anthropic|google|openai)|@openrouter\/ai-sdk-provider)$/

/** The core, or a part of it, as one minified file that imports nothing, for hosts without Node: its code, and the files it came from. */
export async function bundleCore({ withProviders = true, input = 'src/core/index.ts' } = {}) {
  const output = await bundle({
    input,
    platform: 'browser',
    transform: { target: 'es2022' },
    external: withProviders ? [] : [providerPackages],
    plugins: [noOldSchemas],
    strict: true,
    output: { format: 'esm', minify: true, codeSplitting: false, comments: false },
  })
  const [{ fileName, code, modules, imports, dynamicImports }] = output
  const isLeftOut = (name) => !withProviders && providerPackages.test(name)
  // A lazy import inside the file counts as an import of the file itself.
  const wanted = [...imports, ...dynamicImports].filter((name) => name !== fileName && !isLeftOut(name))
  if (output.length > 1 || wanted.length > 0) throw new Error(`The core needs more than one file: ${wanted.join(', ')}`)
  const sizes = Object.entries(modules).map(([file, { renderedLength }]) => ({ file, size: renderedLength }))
  return { code, files: Object.keys(modules), sizes }
}
