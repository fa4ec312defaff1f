import { randomNumbers } from '../torture.js'

/**
 * The steps of a sequence, chosen before it begins and the same for the same seed. Notes are chosen by number among those
 * that exist when the step is played, so that a sequence remains valid if steps are left out.
 */
export interface Plan {
  seed: number
  trash: 'local' | 'none'
  steps: Step[]
}

export type Step =
  | { do: 'change'; change: ChangeKind; pick: number; faults: PlannedFault[] }
  | { do: 'undo'; pick: number; faults: PlannedFault[] }
  | { do: 'index'; faults: PlannedFault[]; commitsUntilKilled?: number }
  /** Another process opens the vault, and repairs what it finds. */
  | { do: 'restart'; faults: PlannedFault[] }
  | { do: 'power cut'; pick: number }
  | { do: 'person'; act: PersonAct; pick: number }
  | { do: 'clock'; days: number }
  | { do: 'damage'; what: Damage; pick: number }
  /** Decides about a note that was left undecided. */
  | { do: 'settle'; pick: number; faults: PlannedFault[] }

export const changeKinds = [
  'edit',
  'edit several',
  'move',
  'move a folder',
  'respell',
  'create',
  'append',
  'trash',
  'everything at once',
] as const
export type ChangeKind = (typeof changeKinds)[number]

export const personActs = ['save', 'replace', 'delete', 'rename', 'create', 'put an old one back'] as const
export type PersonAct = (typeof personActs)[number]

export const damages = ['flip a bit', 'cut a row', 'garbage row', 'flip a bit of an image'] as const
export type Damage = (typeof damages)[number]

/** Counted from the fault before it; only calls of a kind count. */
export interface PlannedFault {
  at: number
  calls: CallKind
  how: 'EIO' | 'ENOSPC' | 'EACCES' | 'EMFILE' | 'EROFS' | 'short-write' | 'kill' | 'person' | 'clock'
  lasts: 'once' | 'on' | 'at random'
}

export type CallKind = 'any' | 'sync' | 'names' | 'bytes' | 'look'

/** How far into its work a fault of each kind is looked for. */
const reach: Record<CallKind, number> = { any: 160, sync: 7, names: 14, bytes: 14, look: 60 }

/** A plan of one to three episodes: something is done and fails, the world goes on, a restart fails, too. */
export function makePlan(seed: number): Plan {
  const random = randomNumbers(seed)
  // Seeds side by side begin alike.
  for (let turn = 0; turn < 8; turn++) random()
  const below = (count: number) => Math.floor(random() * count)
  const oneOf = <T>(values: readonly T[]): T => values[below(values.length)]
  const maybe = (chance: number) => random() < chance
  const pick = () => below(1 << 20)

  function fault(depth: number): PlannedFault {
    const calls = oneOf<CallKind>(['any', 'any', 'sync', 'names', 'names', 'bytes', 'look'])
    const at = 1 + below(depth === 0 ? reach[calls] : Math.ceil(reach[calls] / 2))
    const kind = random()
    if (kind < 0.35) return { at, calls, how: 'kill', lasts: 'once' }
    if (kind < 0.43) return { at, calls, how: 'person', lasts: 'once' }
    if (kind < 0.47) return { at, calls, how: 'clock', lasts: 'once' }
    const how = oneOf<PlannedFault['how']>(['EIO', 'EIO', 'ENOSPC', 'EACCES', 'EMFILE', 'EROFS', 'short-write'])
    return { at, calls, how, lasts: oneOf(['once', 'once', 'on', 'on', 'at random']) }
  }

  function faults(chance: number): PlannedFault[] {
    const chain: PlannedFault[] = []
    while (chain.length < 3 && maybe(chance)) {
      chain.push(fault(chain.length))
      if (chain.at(-1)!.how === 'kill') break
    }
    return chain
  }

  function meanwhile(): Step[] {
    const kind = random()
    if (kind < 0.35) return [{ do: 'person', act: oneOf(personActs), pick: pick() }]
    if (kind < 0.4) return [{ do: 'clock', days: oneOf([3650, -40, -3650, 400, -1]) }]
    if (kind < 0.45) return [{ do: 'damage', what: oneOf(damages), pick: pick() }]
    return []
  }

  function deed(): Step {
    const kind = random()
    if (kind < 0.7) return { do: 'change', change: oneOf(changeKinds), pick: pick(), faults: faults(0.75) }
    if (kind < 0.88) return { do: 'undo', pick: pick(), faults: faults(0.75) }
    if (kind < 0.92) return { do: 'settle', pick: pick(), faults: faults(0.6) }
    return { do: 'index', faults: faults(0.6), ...(maybe(0.4) && { commitsUntilKilled: 1 + below(3) }) }
  }

  function repairs(): Step[] {
    const steps: Step[] = []
    while (steps.length < 8 && maybe(0.6)) {
      if (maybe(0.3)) steps.push({ do: 'power cut', pick: pick() })
      steps.push(...meanwhile(), { do: 'restart', faults: faults(0.65) })
    }
    return steps
  }

  const episodes = 1 + below(3)
  const steps: Step[] = []
  for (let episode = 0; episode < episodes; episode++) steps.push(...meanwhile(), deed(), ...repairs(), ...meanwhile())
  return { seed, trash: maybe(0.7) ? 'local' : 'none', steps }
}
