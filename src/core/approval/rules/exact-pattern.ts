import { foldCase } from '../../vault/index.js'
import { deep, fitsName, fitsSteps, many, readSteps, type Step, spellPieces } from './pattern-steps.js'
import { isPlain } from './wide-name.js'

/**
 * What a rule that allows means: a path that fits to the letter, and still does when pattern and path are spelled as
 * some file system would. `Diary?` does not allow `Diary.`, which is `Diary` elsewhere.
 */
export function exactPattern(pattern: string): (path: string) => boolean {
  const plain = completed(readSteps(pattern), pattern)
  let spelled: Step[][][] | undefined
  return (path) => {
    const names = path.split('/')
    if (!anyFits(plain, names)) return false
    if (isPlain(path)) return true
    spelled ??= spellings.map((spelling) => plain.map((steps) => steps.map((step) => spellStep(step, spelling))))
    return spelled.every((patterns, at) =>
      anyFits(
        patterns,
        names.map((name) => spellName(name, spellings[at])),
      ),
    )
  }
}

const anyFits = (patterns: readonly Step[][], names: string[]) =>
  patterns.some((steps) => fitsSteps(steps, names, fitsName))

/** The pattern, and the one for what is below the folder it may name. */
function completed(steps: Step[], pattern: string): Step[][] {
  const last = steps[steps.length - 1]
  // A pattern that ends with `**` means what is below, not the folder's own name.
  if (last === deep) return [[...steps, [many]]]
  const isFolderToo = last.every((piece) => typeof piece === 'string') && !/\.md$/i.test(pattern)
  return isFolderToo ? [steps, [...steps, deep, [many]]] : [steps]
}

interface Spelling {
  letters: (text: string) => string
  /** Without the dots and spaces at its end. */
  isTrimmed: boolean
}

const same = (text: string) => text
const lower = (text: string) => [...text].map((letter) => letter.toLowerCase()).join('')
const seen = (text: string) => text.replace(/\p{Default_Ignorable_Code_Point}/gu, '')
const forms = [same, ...['NFC', 'NFD', 'NFKC', 'NFKD'].map((form) => (text: string) => text.normalize(form))]

/** Each way to take case together with each form, with and without what some systems do not see, or drop. */
const spellings: Spelling[] = [same, lower, foldCase].flatMap((foldLetters) =>
  forms.flatMap((form) =>
    [same, seen].flatMap((keep) =>
      [false, true].map((isTrimmed) => ({ letters: (text: string) => form(foldLetters(form(keep(text)))), isTrimmed })),
    ),
  ),
)

function spellName(name: string, { letters, isTrimmed }: Spelling): string {
  return isTrimmed ? letters(name).replace(/[. ]+$/, '') : letters(name)
}

function spellStep(step: Step, { letters, isTrimmed }: Spelling): Step {
  if (step === deep) return step
  const pieces = spellPieces(step, letters)
  while (isTrimmed && (pieces[pieces.length - 1] === '.' || pieces[pieces.length - 1] === ' ')) pieces.pop()
  return pieces
}
