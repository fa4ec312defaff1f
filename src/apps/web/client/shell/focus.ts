/** Fingers open a keyboard with the focus, which covers what was chosen. */
const isTouched = (): boolean => matchMedia('(pointer: coarse)').matches

const afterDrawing = (work: () => void): void => void requestAnimationFrame(() => requestAnimationFrame(work))

/** Puts the cursor where the question is written, at its end. */
export function focusQuestion(): void {
  if (isTouched()) return
  afterDrawing(() => {
    const field = document.querySelector<HTMLTextAreaElement>('.nw-composer textarea')
    // The user may have pressed it by now: the cursor stays where they put it.
    if (field === null || field === document.activeElement) return
    field.focus()
    field.setSelectionRange(field.value.length, field.value.length)
  })
}

/** The search may still be loading. */
export function focusSearch(triesLeft = 40): void {
  const field = document.querySelector<HTMLInputElement>('.page-search .nw-search-field')
  if (field !== null) field.focus()
  else if (triesLeft > 0) setTimeout(() => focusSearch(triesLeft - 1), 25)
}

/** After the focused row was removed, which takes until the list was loaded again: the first chat, or the question. */
export function focusIfLost(triesLeft = 40): void {
  if (document.activeElement !== document.body) {
    if (triesLeft > 0) setTimeout(() => focusIfLost(triesLeft - 1), 50)
    return
  }
  const row = document.querySelector<HTMLElement>('.page-chat-row .page-row')
  if (row === null) focusQuestion()
  else row.focus()
}

/** Moves to the approval that waits, wherever the focus is. */
export function focusApproval(): void {
  const panel = document.querySelector<HTMLElement>('[data-panel]')
  panel?.scrollIntoView({ block: 'nearest' })
  panel?.focus()
}
