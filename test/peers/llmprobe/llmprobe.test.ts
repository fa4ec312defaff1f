import { mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect, it } from 'vitest'
import { overhear } from '../overhear.js'
import { runProgram } from '../run-program.js'
import { serveWith } from '../serve.js'

const program = fileURLToPath(new URL('../node_modules/llmprobe/bin/dist/llmprobe.mjs', import.meta.url))

interface Report {
  /** Abilities of the model itself. The scripted one has few, and the endpoint is not responsible for them. */
  capability: { categories: { category: string; passed: number; total: number }[] }
  agentic: { tasks: { name: string; passed: boolean }[] }
  conformance: {
    results: {
      name: string
      surface: string
      outcome: string
      failures?: { label: string; severity: string; message: string }[]
    }[]
  }
}

const surfaces = ['responses', 'chat']

it.for(['native', 'sentinel'] as const)(
  'llmprobe finds nothing that must not be, with %s behind',
  async (kind, { annotate }) => {
    const served = await serveWith(kind)
    const overheard = await overhear(served.url)
    try {
      const home = await mkdtemp(join(tmpdir(), 'notewright-llmprobe-'))
      // Never --upload: it would post the report to its author's site.
      const words = [overheard.url, '-k', served.key, '-m', served.model, '--no-save', '--no-bench', '--json']
      const { stdout } = await runProgram(process.execPath, [program, ...words], { HOME: home })
      const { conformance, capability, agentic } = JSON.parse(stdout) as Report
      const { results } = conformance
      const skills = capability.categories.map(({ category, passed, total }) => `${category} ${passed}/${total}`)
      const done = agentic.tasks.filter(({ passed }) => passed).length
      await annotate(`The scripted model's own skill: ${skills.join(', ')}, agentic ${done}/${agentic.tasks.length}`)
      const ours = results.filter(({ surface }) => surfaces.includes(surface))
      expect(ours.length).toBeGreaterThan(60)
      const broken = ours.flatMap(({ surface, name, outcome, failures = [] }) =>
        outcome === 'fail'
          ? failures
              .filter(({ severity }) => severity === 'MUST')
              .map(({ label, message }) => `${surface}: ${name}: ${label}: ${message}`)
          : [],
      )
      expect(broken).toEqual([])
      expect(overheard.broken).toEqual([])
      expect(overheard.streams.http).toBeGreaterThan(5)
    } finally {
      await overheard.close()
      await served.stop()
    }
  },
)
