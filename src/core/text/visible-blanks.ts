/** Room that pushes words out of sight is drawn: a run of blanks as dots, empty lines as their number. */
export function visibleBlanks(text: string): string {
  return text
    .replace(/\t/g, '→')
    .replace(/[ \u00a0]{2,}/g, (blanks) =>
      blanks.length > 20 ? `⟦${blanks.length} blanks⟧` : '·'.repeat(blanks.length),
    )
    .replace(/\n(?:[·→ ]*\n){2,}/g, (lines) => `\n⟦${lines.split('\n').length - 2} empty lines⟧\n`)
}
