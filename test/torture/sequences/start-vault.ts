import type { Texts } from './planned-set.js'

/**
 * The notes every sequence begins with. Each says its number in its first line, and each link the number of the note
 * it means, so that anybody can tell where a link should lead without asking Notewright.
 */
export const startNotes: Texts = new Map([
  ['Hub.md', note(0, 'the hub', link('Ann', 1), link('f/Cat', 3))],
  ['Ann.md', note(1, 'apples', link('Hub', 0))],
  ['Bob.md', note(2, 'bananas', link('Hub', 0), link('Ann', 1), link('Dan', 4))],
  ['f/Cat.md', note(3, 'cherries', link('Hub', 0), link('Eve', 5))],
  ['f/Dan.md', note(4, 'dates', link('Hub', 0), link('f/Cat', 3))],
  ['g/deep/Eve.md', note(5, 'elderberries', link('Hub', 0))],
  ['g/Fay.md', note(6, 'figs', link('Dan', 4))],
])

export const trashSettings = (trash: 'local' | 'none'): string => JSON.stringify({ trashOption: trash })

function note(number: number, about: string, ...links: string[]): string {
  return [`# Note n${number} about ${about}`, '', ...links, '', `The end of n${number}.`, ''].join('\n')
}

function link(target: string, number: number): string {
  return `See [[${target}]] for n${number}.`
}
