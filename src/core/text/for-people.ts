/** What tools and rules tell a model, in words for the person it is shown to: without what a model should do next. */
export function forPeople(text: string): string {
  const told = advice.reduce((rest, sentence) => rest.replace(sentence, ''), text.trim()).trim()
  const whole = told === text.trim() || /[.!?]$/.test(told) ? told : `${told}.`
  return sayings.reduce((rest, [words, own]) => rest.replace(words, own), whole)
}

/** Sentences that say what a model should do next. */
const advice = [
  /\s*Do not try it another way; tell the person what you wanted to do\./,
  /\s*Read it again and propose the change anew: the new diff will be shown\./,
  /\s*The person has already refused this very call in this turn; do something else\./,
  /\s*Find (?:its|the) path with (?:a )?search\w*(?:, or create it with write_note)?\./,
  /\s*Call it again\./,
]

const sayings: [RegExp, string][] = [
  [/^User cancelled (?:tool execution|overwrite) Nobody answered in time\./, 'Nobody answered in time.'],
  [/^User cancelled tool execution(?:: [^.]*)?\.?/, 'You said no.'],
  [/^User cancelled overwrite(?:: [^.]*)?\.?/, 'You said no to writing over it.'],
]
