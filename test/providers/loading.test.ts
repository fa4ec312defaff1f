import { describe, expect, it } from 'vitest'
import { bundle } from '../../scripts/bundle.mjs'

/** The packages a bundle needs at once, and those it can load later. */
async function packagesOf(entry: string): Promise<{ now: string[]; later: string[] }> {
  let inputs: string[] = []
  const chunks = await bundle({
    input: entry,
    platform: 'browser',
    plugins: [
      {
        name: 'see-inputs',
        buildEnd() {
          inputs = [...this.getModuleIds()]
        },
      },
    ],
    output: { format: 'esm' },
  })
  const now = new Set<string>()
  const visit = (name: string): void => {
    const chunk = chunks.find(({ fileName }) => fileName === name)!
    for (const input of Object.keys(chunk.modules)) now.add(packageOf(input))
    chunk.imports.forEach(visit)
  }
  visit(chunks.find(({ isEntry }) => isEntry)!.fileName)
  const all = new Set(inputs.map(packageOf))
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
