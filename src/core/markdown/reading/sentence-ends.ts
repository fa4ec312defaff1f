const ends = ['.', '!', '?']
const stands = ['\ue000', '\ue001', '\ue002']

/** No sentence ends inside a link or code, so the full stops there are set aside until the sentences are known. */
export const unbroken = (words: string): string =>
  words.replace(/[.!?](?=\s)/g, (end) => stands[ends.indexOf(end)] ?? end)

export const broken = (words: string): string =>
  words.replace(/[\ue000-\ue002]/g, (stand) => ends[stands.indexOf(stand)] ?? stand)
