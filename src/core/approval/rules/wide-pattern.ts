import { deep, fitsName, fitsSteps, many, type Piece, readSteps, type Step } from './pattern-steps.js'
import {
  fitsWidely,
  isPlain,
  plainPieces,
  type WideName,
  wideName,
  widePieces,
  withoutNoteEnding,
} from './wide-name.js'

/**
 * What a rule that restricts means: every path that it could mean in some spelling of the rule, for some spelling of
 * the path. Names fit one by one, so that each may be spelled in its own way.
 */
export function widePattern(pattern: string): (path: string) => boolean {
  const patterns = [...readings(pattern)].flatMap(stepsOf)
  const isMeant = (path: string) => (isPlain(path) ? meansPlainly(patterns, path) : meansWidely(patterns, path))
  return (path) => {
    if (isMeant(path)) return true
    // People call a note by its name, without `.md`; whoever wants to protect it so must not be mistaken.
    return isPlain(path) && /\.md$/i.test(path) && isMeant(path.slice(0, -3))
  }
}

/** Most paths are plain, and are compared as they are. */
function meansPlainly(patterns: readonly WideSteps[], path: string): boolean {
  const names = path.toLowerCase().split('/')
  return patterns.some((steps) => fitsSteps(steps, names, ({ plain }, name) => fitsName(plain, name)))
}

function meansWidely(patterns: readonly WideSteps[], path: string): boolean {
  for (const read of readings(path)) {
    const names = read.split('/').map((written): NameToFit => ({ written, wide: wideName(written) }))
    const last = names[names.length - 1]
    const bare = withoutNoteEnding(last.wide)
    if (anyFits(patterns, names)) return true
    if (bare === undefined) continue
    const written = last.written.replace(/\.md$/i, '')
    if (anyFits(patterns, [...names.slice(0, -1), { written, wide: bare }])) return true
  }
  return false
}

const anyFits = (patterns: readonly WideSteps[], names: NameToFit[]) =>
  patterns.some((steps) => fitsSteps(steps, names, fitsOne))

/** As written, and as someone means it who writes `／` and `＊` for `/` and `*`, or does not see what stands between. */
function readings(text: string): Iterable<string> {
  if (/^\p{ASCII}*$/u.test(text)) return [text]
  const plain = text.normalize('NFKC')
  return new Set([text, plain, plain.replace(/\p{Default_Ignorable_Code_Point}/gu, '')])
}

interface WideStep {
  written: readonly Piece[]
  wide: readonly Piece[]
  plain: readonly Piece[]
}
type WideSteps = (typeof deep | WideStep)[]

function stepsOf(pattern: string): WideSteps[] {
  const steps = readSteps(pattern).map(wideStep)
  // A bare name means notes and folders of that name at any depth.
  if (steps.length === 1) steps.unshift(deep)
  const below: WideSteps = [...steps, deep, wideStep([many])]
  // A pattern that ends with `**` means what is below, not the folder's own name.
  if (steps[steps.length - 1] === deep) return [below]
  return /\.md$/i.test(pattern) ? [steps] : [steps, below]
}

function wideStep(step: Step): typeof deep | WideStep {
  if (step === deep) return deep
  const wide = widePieces(step)
  return { written: step, wide, plain: plainPieces(wide) }
}

interface NameToFit {
  written: string
  wide: WideName
}

// To the letter too: marks on a letter have an order as written, which the wide form does not keep.
const fitsOne = ({ written, wide }: WideStep, name: NameToFit): boolean =>
  fitsWidely(wide, name.wide) || fitsName(written, name.written)
