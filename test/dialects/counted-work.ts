import { type Profiler, Session } from 'node:inspector'

let session: Session | undefined

/** How often the blocks of code in files below a folder are entered while something runs. */
export function countedWork(folder: string, run: () => void): number {
  session ??= startCounting()
  takeCounts(session)
  run()
  const scripts = takeCounts(session).filter(({ url }) => url.includes(folder))
  if (scripts.length === 0) throw new Error(`Nothing below ${folder} has run`)
  const ranges = scripts.flatMap(({ functions }) => functions.flatMap((each) => each.ranges))
  return ranges.reduce((sum, { count }) => sum + count, 0)
}

function startCounting(): Session {
  const started = new Session()
  started.connect()
  started.post('Profiler.enable')
  started.post('Profiler.startPreciseCoverage', { callCount: true, detailed: true })
  return started
}

/** Since the last time. The answer comes before `post` returns. */
function takeCounts(from: Session): Profiler.ScriptCoverage[] {
  let counts: Profiler.ScriptCoverage[] = []
  from.post('Profiler.takePreciseCoverage', (error, answer) => {
    if (error) throw error
    counts = answer.result
  })
  return counts
}
