import type { Recipient } from './recipient.js'

/** What a person agrees to, in words: how much, to whom, and what never. */
export function consentWords(
  { provider, model, host, isHere }: Recipient,
  { notes, passages }: { notes: number; passages: number },
): string {
  const much = `the text of ${number(notes, 'note')} (${number(passages, 'passage')})`
  const whom = `${provider.name} (${host})`
  const never = 'Private and excluded notes, and those a rule keeps from being read, are never sent.'
  if (isHere) {
    return `${model} is to make embeddings for search: ${much} is given to ${whom}, which runs on this machine. Nothing leaves this machine. Later it is given what changes and what you search for. ${never}`
  }
  return `${model} is to make embeddings for search: ${much} leaves this machine for ${whom}, and later what changes and what you search for. ${never}`
}

const number = (count: number, what: string): string => `${count.toLocaleString('en')} ${what}${count === 1 ? '' : 's'}`
