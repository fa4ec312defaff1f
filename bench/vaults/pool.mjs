import { readFileSync } from 'node:fs'
import { basename } from 'node:path'
import { readRetrievalSet } from '../data.mjs'
import { noteFiles } from './note-files.mjs'
import { unpackVault } from './unpack.mjs'

/**
 * The stuff generated notes are made of: for each language the words of titles and a way to draw a paragraph.
 * English comes from two real vaults and two retrieval sets, Russian and Chinese from one retrieval set each.
 */
export function readPool() {
  const english = { paragraphs: [], words: new Set() }
  for (const vault of ['blue-book', 'tasks-docs']) {
    for (const file of noteFiles(unpackVault(vault))) {
      addWords(english.words, basename(file, '.md'))
      const text = readFileSync(file, 'utf8')
      for (const [, heading] of text.matchAll(/^#{1,6} +(.+)$/gm)) addWords(english.words, heading)
      english.paragraphs.push(...paragraphsOf(text))
    }
  }
  for (const set of ['xquad-en', 'cranfield']) {
    for (const doc of readRetrievalSet(set).docs) if (fits(doc.text)) english.paragraphs.push(doc.text)
  }
  return {
    en: {
      words: [...english.words].sort(),
      draw: (random) => random.pick(english.paragraphs),
      size: english.paragraphs.length,
    },
    ru: fromSentences('xquad-ru', /(?<=[.!?…]) +(?=[А-ЯЁA-Z«"])/u, ' ', /[а-яё]{4,}/giu),
    zh: fromSentences('xquad-zh', /(?<=[。！？；])/u, '', /\p{Script=Han}{2,5}/gu),
  }
}

function paragraphsOf(text) {
  return text
    .replace(/\r\n?/g, '\n')
    .replace(/^---\n[\s\S]*?\n---\n/, '')
    .replace(/^ *(```|~~~)[\s\S]*?^ *\1.*$/gm, '')
    .replace(/<!--[\s\S]*?-->|%%[\s\S]*?%%/g, '')
    .replace(/!?\[\[[^\]\n]*\]\]|!\[[^\]]*\]\([^)]*\)/g, '')
    .replace(/\[([^\]\n]*)\](?:\([^)\n]*\)|\[[^\]\n]*\])/g, '$1')
    .replace(/<[^>\n]*>|https?:\S+/g, '')
    .split(/\n\s*\n|^#{1,6} .*$/m)
    .map(plainParagraph)
    .filter(fits)
}

/**
 * Lines without indentation, quotes, tables or anything else that would change what a link put into them means.
 * Backticks stay, also those that are never closed: such lines are where peers miss links.
 */
function plainParagraph(paragraph) {
  return paragraph
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => !/^(?:[|>#=]|```|~~~|[-=*_ ]+$|\[[^\]]*\]:)/.test(line))
    .join('\n')
    .replace(/[$%\\<>[\]{}|^]/g, '')
    .replace(/#(?=\S)/g, '')
    .replace(/[ \t]+/g, ' ')
    .replace(/\n{2,}/g, '\n')
    .trim()
}

function fits(paragraph) {
  return paragraph.length >= 60 && paragraph.length <= 2500
}

/**
 * 240 paragraphs would come back hundreds of times in a large vault, so a paragraph here is one to three sentences
 * drawn at random from them.
 */
function fromSentences(set, boundary, joint, wordPattern) {
  const words = new Set()
  const sentences = []
  for (const { text } of readRetrievalSet(set).docs) {
    for (const [word] of text.matchAll(wordPattern)) words.add(word.toLowerCase())
    for (const sentence of text.split(boundary)) if (sentence.trim().length > 8) sentences.push(sentence.trim())
  }
  return {
    words: [...words].sort(),
    size: sentences.length,
    draw: (random) => Array.from({ length: random.between(1, 3) }, () => random.pick(sentences)).join(joint),
  }
}

function addWords(words, text) {
  for (const [word] of text.toLowerCase().matchAll(/\p{Script=Latin}{3,}/gu)) words.add(word)
}
