import { build } from 'esbuild'
import { describe, expect, it } from 'vitest'

/** The packages a bundle needs at once, and those it can load later. */
async function packagesOf(entry: string): Promise<{ now: string[]; later: string[] }> {
  const { metafile } = await build({
    entryPoints: [entry],
    bundle: true,
    splitting: true,
    format: 'esm',
    platform: 'browser',
    outdir: 'unused',
    write: false,
    metafile: true,
    logLevel: 'silent',
  })
  const now = new Set<string>()
  const visit = (file: string): void => {
    const { inputs, imports } = metafile.outputs[file]
    for (const input of Object.keys(inputs)) now.add(packageOf(input))
    for (const { path, kind } of imports) if (kind === 'import-statement') visit(path)
  }
  visit(Object.keys(metafile.outputs).find((file) => metafile.outputs[file].entryPoint === entry) ?? '')
  const all = new Set(Object.keys(metafile.inputs).map(packageOf))
  const foreign = (name: string) => name !== ''
  return { now: [...now].filter(foreign), later: [...all].filter((name) => foreign(name) && !now.has(name)) }
}

const packageOf = (input: string): string => /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(input)?.[1] ?? ''

describe('the model layer', () => {
  it('needs no package of its own', async () => {
    expect(await packagesOf('src/core/model/index.ts')).toEqual({ now: [], later: [] })
  })
})

describe('the providers', () => {
  it('load no package until a model is used, and then not the whole SDK', async () => {
    const { now, later } = await packagesOf('src/core/providers/index.ts')
    expect(now).toEqual([])
    expect(later).toContain('@ai-sdk/openai')
    expect(later).not.toContain('ai')
  })
})
